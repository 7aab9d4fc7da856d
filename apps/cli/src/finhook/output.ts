import { styleText } from 'node:util';
import { plain } from '../clean-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Environment } from './env.ts';

/** stdout is data, stderr is for people. */
export interface Output extends Pick<Terminal, 'print' | 'printJson' | 'say' | 'writeFile' | 'isTerminal'> {
  /** One line on a terminal; elsewhere a line for every tenth. */
  progress: (verb: string, done: number, total: number) => void;
  /** A table or, in a pipe, tab-separated values. */
  show: (value: unknown) => void;
  printPainted: (style: 'green' | 'red' | 'yellow' | 'dim', lead: string, text: string) => void;
}

type Row = Readonly<Record<string, unknown>>;

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && !value.some((each) => typeof each === 'object')) return plain(value.join(', '));
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}

const hidden = new Set(['object', 'account_id']);

/** Columns without nested records and without only empty values. */
function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !hidden.has(name));
  return names.filter((name) => {
    const values = rows.map((row) => row[name]);
    return values.some((value) => cellOf(value) !== '') && !values.some(isRow);
  });
}

const MAX_CELL = 40;
const GAP = 2;

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** As many columns as fit; ids are never truncated, because they are copied. */
function fitTable(rows: readonly Row[], width: number): string[] {
  const cells = columnsOf(rows).map((name) => {
    const max = name === 'id' || name.endsWith('_id') ? Number.POSITIVE_INFINITY : MAX_CELL;
    return [plain(name), ...rows.map((row) => clip(cellOf(row[name]), max))];
  });
  const kept: string[][] = [];
  let used = 0;
  for (const column of cells) {
    const size = Math.max(...column.map((cell) => cell.length));
    if (kept.length > 0 && used + size > width) continue;
    used += size + GAP;
    kept.push(column.map((cell) => cell.padEnd(size + GAP)));
  }
  return [...Array(rows.length + 1).keys()].map((i) =>
    kept
      .map((column) => column[i] ?? '')
      .join('')
      .trimEnd(),
  );
}

function recordLines(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) =>
      isRow(each) ? [`${indent}-`, ...recordLines(each, `${indent}  `)] : [`${indent}- ${cellOf(each)}`],
    );
  }
  if (!isRow(value)) return [indent + cellOf(value)];
  const fields = Object.entries(value).filter(([name]) => !hidden.has(name) && name !== 'warnings');
  const isNested = (each: unknown): boolean =>
    isRow(each) ? Object.keys(each).length > 0 : Array.isArray(each) && each.some(isRow);
  const size = Math.max(0, ...fields.filter(([, each]) => !isNested(each)).map(([name]) => name.length));
  return fields.flatMap(([name, each]) =>
    isNested(each)
      ? [indent + plain(name), ...recordLines(each, `${indent}  `)]
      : [`${indent}${plain(name).padEnd(size)}  ${cellOf(each)}`.trimEnd()],
  );
}

function listLines(rows: readonly unknown[], width: number | undefined): string[] {
  const records = rows.filter(isRow);
  if (records.length < rows.length) return rows.map(cellOf);
  if (width !== undefined) return fitTable(records, width);
  const names = columnsOf(records);
  return [names.map(plain).join('\t'), ...records.map((row) => names.map((name) => cellOf(row[name])).join('\t'))];
}

export function linesOf(value: unknown, width: number | undefined): string[] {
  if (!isRow(value) || !Array.isArray(value['data'])) return recordLines(value);
  return value['data'].length === 0 ? [] : listLines(value['data'], width);
}

export function createOutput(env: Pick<Environment, 'noColor'>, terminal: Terminal): Output {
  const { print, printJson, say, isTerminal } = terminal;
  // The last reported tenth.
  let tenth = -1;
  return {
    print,
    printJson,
    say,
    writeFile: terminal.writeFile,
    isTerminal,
    progress: (verb, done, total) => {
      const [text, now] = [`${done} of ${total} ${verb}`, Math.floor((10 * done) / total)];
      if (terminal.canRewrite) terminal.rewrite(text, done === total);
      else if (now !== tenth) say(text);
      tenth = done === total ? -1 : now;
    },
    show: (value) => {
      for (const line of linesOf(value, isTerminal ? (terminal.columns ?? 120) : undefined)) print(line);
    },
    printPainted: (style, lead, text) => {
      const paint = (each: string): string => (env.noColor ? each : styleText(style, each, { validateStream: false }));
      terminal.printStyled(paint, lead, text);
    },
  };
}
