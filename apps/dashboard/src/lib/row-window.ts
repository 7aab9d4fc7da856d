/** Maximum rows per scroll frame: browsers clip elements above some ten million pixels. */
export const WINDOW_ROWS = 20_000;
/** The window moves by this when its edge is near. */
const STEP = WINDOW_ROWS / 2;
const MARGIN = 500;
/** Rows rendered above and below the visible ones. */
const OVERSCAN = 12;

/** The scroll state: rows from `base` on, scrolled by `top` px, with `height` px visible. */
export interface Place {
  base: number;
  top: number;
  height: number;
}

export function lastBase(count: number): number {
  return Math.max(0, Math.ceil((count - WINDOW_ROWS) / STEP) * STEP);
}

/**
 * Moves the window if its edge is near. The visible rows stay in position, because `top` moves by as much as `base`
 * does.
 */
export function slide({ base, top, height }: Place, count: number, rowHeight: number): Place {
  const move = (by: number): Place => ({ base: base + by, top: top - by * rowHeight, height });
  const first = Math.floor(top / rowHeight);
  const last = Math.ceil((top + height) / rowHeight);
  if (base > 0 && first < MARGIN) return move(-STEP);
  if (last > WINDOW_ROWS - MARGIN && base < lastBase(count)) return move(STEP);
  return { base, top, height };
}

/** First and last row to render (absolute), and the space in px above and below them. */
export interface Drawn {
  first: number;
  last: number;
  above: number;
  below: number;
}

export function drawn(place: Place, count: number, rowHeight: number): Drawn {
  const base = Math.min(place.base, lastBase(count));
  const end = Math.min(count, base + WINDOW_ROWS);
  const lowest = Math.max(base, end - 1);
  const top = Math.floor(place.top / rowHeight) - OVERSCAN;
  const bottom = Math.ceil((place.top + place.height) / rowHeight) + OVERSCAN;
  const first = Math.min(Math.max(base, base + top), lowest);
  const last = Math.max(first, Math.min(lowest, base + bottom));
  return { first, last, above: (first - base) * rowHeight, below: Math.max(0, end - 1 - last) * rowHeight };
}
