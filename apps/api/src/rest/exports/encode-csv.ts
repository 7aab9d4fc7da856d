import { FORMULA_START, harmlessText } from '@finhook/contracts/harmless-text';

const JSON_TEXT = /"(?:[^"\\]|\\.)*"/g;

/** RFC 4180; formulas get a leading apostrophe, objects are JSON, `null` is empty and an empty text `""`. */
export function encodeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmlessText(value) : harmlessJson(value);
  return `"${text.replaceAll('"', '""')}"`;
}

/** The same JSON value, with characters that would begin a formula escaped. */
function harmlessJson(value: unknown): string {
  const escape = (_: string, before: string, start: string): string =>
    `${before}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(JSON_TEXT, (text) => `"${text.slice(1, -1).replace(FORMULA_START, escape)}"`);
}

export function encodeCsvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`;
}

export function encodeCsvRows(columns: readonly string[], records: readonly object[]): string {
  let text = '';
  for (const record of records) {
    text += `${columns.map((column) => encodeCell(Reflect.get(record, column))).join(',')}\r\n`;
  }
  return text;
}
