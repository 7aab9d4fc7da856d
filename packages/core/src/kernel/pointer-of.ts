import { shorten } from './shorten.ts';

/** Names up to the longest that a schema takes are whole; one that is longer must not make an answer as long as its body. */
const MAX_SEGMENT = 100;

function segmentOf(part: PropertyKey): string {
  return `/${shorten(String(part), MAX_SEGMENT).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** RFC 6901 pointer of a path. A segment that is too long to be the name of a field is cut and ends in `…`. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map(segmentOf).join('');
}

/** The names and indexes in a pointer. */
export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
