/** The text of a cell, and whether it was quoted. */
export interface Cell {
  text: string;
  quoted: boolean;
}

const cellPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** Parses CSV strictly (RFC 4180, section 2). */
export function parseCsv(file: string): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  cellPattern.lastIndex = 0;
  while (cellPattern.lastIndex < file.length) {
    const at = cellPattern.lastIndex;
    const match = cellPattern.exec(file);
    if (!match) throw new Error(`No CSV at ${at}: ${JSON.stringify(file.slice(at, at + 40))}`);
    const [, inQuotes, plain = '', end] = match;
    row.push({ text: inQuotes?.replaceAll('""', '"') ?? plain, quoted: inQuotes !== undefined });
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error('The last row does not end.');
  return rows;
}

/** The value of a cell by the JSON type of its field, without the apostrophe before a formula. */
export function valueOf(cell: Cell, kind: 'text' | 'json'): unknown {
  if (cell.text === '' && !cell.quoted) return null;
  if (kind === 'text') return cell.text.replace(/^'(?=[=+\-@\t\r])/, '');
  const parsed: unknown = JSON.parse(cell.text);
  return parsed;
}
