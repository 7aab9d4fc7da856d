import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum rows per scroll frame: browsers clip elements above some ten million pixels. */
export const WINDOW_ROWS = 20_000;
/** The window moves by this when its edge is near. */
const STEP = WINDOW_ROWS / 2;
const MARGIN = 500;
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

interface RowWindow extends Drawn {
  frame: (element: HTMLElement | null) => (() => void) | undefined;
  onScroll: () => void;
  /** Home and End go to the ends of the list, not of the window. */
  onKeyDown: (event: KeyboardEvent) => void;
  toTop: () => void;
}

const UNMEASURED: Place = { base: 0, top: 0, height: 700 };

export function useRowWindow(count: number, rowHeight: number): RowWindow {
  const [place, setPlace] = useState(UNMEASURED);
  const element = useRef<HTMLElement | null>(null);
  /**
   * The base of the rendered rows. Until it equals that of `place`, the frame's scroll position refers to other rows.
   */
  const base = useRef(0);

  useLayoutEffect(() => {
    if (base.current === place.base) return;
    base.current = place.base;
    if (element.current) element.current.scrollTop = place.top;
  }, [place]);

  const measure = useCallback(() => {
    if (!element.current) return;
    const { scrollTop: top, clientHeight: height } = element.current;
    setPlace((now) => {
      if (now.base !== base.current) return now;
      const next = slide({ base: now.base, top, height }, count, rowHeight);
      return next.base === now.base && top === now.top && height === now.height ? now : next;
    });
  }, [count, rowHeight]);
  // More rows may follow the end of the window.
  useEffect(measure, [measure]);

  const latest = useRef(measure);
  useEffect(() => {
    latest.current = measure;
  }, [measure]);
  const frame = useCallback((found: HTMLElement | null) => {
    element.current = found;
    if (!found) return undefined;
    base.current = 0;
    setPlace({ base: 0, top: found.scrollTop, height: found.clientHeight });
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(found);
    return () => {
      observer.disconnect();
      element.current = null;
    };
  }, []);

  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent): void => {
    if (target !== currentTarget || (key !== 'Home' && key !== 'End')) return;
    const next = key === 'Home' ? 0 : lastBase(count);
    // Within the window the browser scrolls natively.
    if (next !== place.base) setPlace({ ...place, base: next, top: key === 'Home' ? 0 : (count - next) * rowHeight });
  };
  const toTop = (): void => {
    element.current?.focus({ preventScroll: true });
    if (place.base === 0) element.current?.scrollTo({ top: 0 });
    else setPlace({ ...place, base: 0, top: 0 });
  };
  return { ...drawn(place, count, rowHeight), frame, onScroll: measure, onKeyDown, toTop };
}
