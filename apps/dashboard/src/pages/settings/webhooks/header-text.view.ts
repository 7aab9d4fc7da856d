type ReceivedHeaders = Record<string, string | string[]>;

function add(headers: ReceivedHeaders, name: string, value: string): void {
  const key = name.trim().toLowerCase();
  const before = headers[key];
  headers[key] = before === undefined ? value.trim() : [before, value.trim()].flat();
}

function readJson(text: string): ReceivedHeaders | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const headers: ReceivedHeaders = {};
    for (const [name, given] of Object.entries(value)) {
      const values: readonly unknown[] = Array.isArray(given) ? given : [given];
      for (const part of values) add(headers, name, typeof part === 'string' ? part : JSON.stringify(part));
    }
    return headers;
  } catch {
    return undefined;
  }
}

/** Strips curl's `-H 'name: value' \` down to `name: value`; returns other lines unchanged. */
function bare(line: string): string {
  const [, , quoted] = /^\s*(?:-H|--header)\s+(['"])(.*)\1\s*\\?\s*$/.exec(line) ?? [];
  return quoted ?? line;
}

/**
 * Parses pasted headers: `name: value` lines of a log or a terminal, curl options, or a JSON object. `unread` lists the
 * numbers of invalid lines, counted from 1.
 */
export function readHeaderText(text: string): { headers: ReceivedHeaders; unread: number[] } {
  const json = text.trim().startsWith('{') ? readJson(text) : undefined;
  if (json) return { headers: json, unread: [] };
  const headers: ReceivedHeaders = {};
  const unread: number[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || /^(GET|POST|PUT) \S+ HTTP\//.test(line.trim())) continue;
    const [, name, value] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s?(.*)$/.exec(bare(line)) ?? [];
    if (name === undefined || value === undefined) unread.push(i + 1);
    else add(headers, name, value);
  }
  return { headers, unread };
}
