import { allEventTypes, type FieldError, isAnyEventType } from '@finhook/contracts';

const MAX_SUGGESTIONS = 3;
const MAX_SHOWN = 64;

/** The number of single-character edits between two names (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function nearest(name: string): string {
  // Cut like the name that is told, and measured once a type: a request may hold hundreds of long wrong names.
  const wrong = name.slice(0, MAX_SHOWN);
  return allEventTypes
    .map((type) => ({ type, edits: distance(wrong, type) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ type }) => type)
    .join(', ');
}

/** The faults of a list of event names: those that the catalogue does not have, each with the nearest ones. */
export function eventFilterFaults(names: readonly string[], pointer = '/events'): FieldError[] {
  return names.flatMap((name, i) =>
    isAnyEventType(name)
      ? []
      : [
          {
            pointer: `${pointer}/${i}`,
            code: 'unknown_event_type' as const,
            message: `"${name.slice(0, MAX_SHOWN)}" is no event type; the nearest are ${nearest(name)}`,
          },
        ],
  );
}
