/** A cell as it stands in the file: its text, and whether it was quoted. */
export interface Cell {
  text: string;
  quoted: boolean;
}

const cellPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** Reads CSV by the grammar of RFC 4180, section 2, and rejects whatever the grammar does not have. */
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

/** What a person who knows the field's JSON type reads from a cell; the apostrophe before a formula is taken off. */
export function valueOf(cell: Cell, kind: 'text' | 'json'): unknown {
  if (cell.text === '' && !cell.quoted) return null;
  if (kind === 'text') return cell.text.replace(/^'(?=[=+\-@\t\r])/, '');
  const parsed: unknown = JSON.parse(cell.text);
  return parsed;
}
