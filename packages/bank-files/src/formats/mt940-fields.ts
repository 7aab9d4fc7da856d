import type { Step } from '../step.ts';

export interface Mt940Field {
  tag: string;
  line: number;
  lines: string[];
}

type Place = 'outside' | 'header' | 'rows';

const tagAtStart = /^(?:\{.{0,200}\{4:)?:(\d\d[A-Z]?):/;

/** Wrapped text may have lines that look like a tag (`16:20:15`), so a tag counts only where it is allowed. */
export function fieldsOf(text: string, step: Step): Mt940Field[] {
  const fields: Mt940Field[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  let place: Place = 'outside';
  let current: Mt940Field | undefined;
  lines.forEach((line, i) => {
    step(line.length + 1);
    const [all = '', tag] = tagAtStart.exec(line) ?? [];
    const next =
      tag === undefined ? undefined : placeAfter(tag, place, { current, rest: line.slice(all.length), lines, i });
    if (tag !== undefined && next !== undefined) {
      place = next;
      current = { tag, line: i + 1, lines: [line.slice(all.length)] };
      fields.push(current);
    } else if (place === 'outside' && /^-\}?\s*$/.test(line)) current = undefined;
    else if (line !== '') current?.lines.push(line);
  });
  return fields;
}

interface Around {
  current: Mt940Field | undefined;
  rest: string;
  lines: readonly string[];
  i: number;
}

/** Undefined if the tag is not allowed here: it is text. */
function placeAfter(tag: string, place: Place, { current, rest, lines, i }: Around): Place | undefined {
  // A time never ends like this tag.
  if (/^60[FM]$/.test(tag)) return 'rows';
  if (/^62[FM]$/.test(tag)) return 'outside';
  if (place !== 'rows') {
    // ABN AMRO starts without field 20. The first field has one line and is followed by another.
    const starts = tag === '20' || (place === 'outside' && /^25P?$/.test(tag));
    if (starts) return place === 'header' || isFieldNext(lines, i) ? 'header' : undefined;
    return place;
  }
  // After field 86, a statement line must start with a day. After another field it is one anyway, perhaps unreadable.
  if (tag === '61') return current?.tag === '86' && !/^\d{6}/.test(rest) ? undefined : place;
  if (tag === '86') return current?.tag === '86' ? undefined : place;
  return /[A-Z]/.test(tag) ? place : undefined;
}

function isFieldNext(lines: readonly string[], i: number): boolean {
  const next = lines[i + 1];
  return next === undefined || next === '' || next.startsWith(':');
}
