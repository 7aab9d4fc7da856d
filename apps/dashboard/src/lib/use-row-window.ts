import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Drawn, drawn, lastBase, type Place, slide } from './row-window.ts';

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
