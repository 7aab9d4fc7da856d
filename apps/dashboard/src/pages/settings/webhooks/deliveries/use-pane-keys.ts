import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { movingOn, useClosePanel, useListSearch } from '../../../../operation/resource-list.tsx';
import { shown } from './pane-search.ts';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Controls that use the arrow keys or Escape themselves. */
const ownKeys = 'input:not([type="checkbox"]), select, textarea, pre';

export const PANE = 'delivery-pane';

interface PaneKeys {
  area: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  step: (by: number) => void;
  close: () => void;
}

function linksIn(area: HTMLElement | null): HTMLElement[] {
  return [...(area?.querySelectorAll<HTMLElement>('a[data-delivery]') ?? [])];
}

/** Arrow keys move along the list, and with it what the pane shows; Escape closes the pane. */
export function usePaneKeys(): PaneKeys {
  const { search, setSearch } = useListSearch();
  const open = search['delivery'];
  const area = useRef<HTMLDivElement>(null);
  const close = useClosePanel(() => setSearch(shown(undefined)));
  useFocusRowOnClose(area, open);
  const step = (by: number): void => {
    const links = linksIn(area.current);
    const at = links.findIndex((link) =>
      open === undefined ? link === document.activeElement : link.dataset['delivery'] === open,
    );
    const next = links[at + by];
    if (next === undefined) return;
    const pane = document.getElementById(PANE);
    if (pane?.contains(document.activeElement) === true) {
      next.scrollIntoView({ block: 'nearest' });
      // What has the focus belongs to the delivery that disappears.
      pane.focus({ preventScroll: true });
    } else next.focus();
    if (open !== undefined) setSearch(shown(next.dataset['delivery']), movingOn);
  };
  return {
    area,
    step,
    close,
    onKeyDown(event) {
      const { key, target, currentTarget, altKey, ctrlKey, metaKey } = event;
      const isPlain = !event.defaultPrevented && !altKey && !ctrlKey && !metaKey;
      // Keys of a dialog bubble here too, through React's tree.
      if (!isPlain || !(target instanceof Element) || !currentTarget.contains(target) || target.closest(ownKeys))
        return;
      const by = steps[key];
      if (key === 'Escape' && open !== undefined) close();
      else if (by === undefined || (open === undefined && !target.matches('a[data-delivery]'))) return;
      else step(by);
      event.preventDefault();
    },
  };
}

/** Wherever the pane was closed from, the focus returns to the row, or to the list if the row is not in it. */
function useFocusRowOnClose(area: RefObject<HTMLDivElement | null>, open: string | undefined): void {
  const before = useRef(open);
  useEffect(() => {
    const closed = open === undefined ? before.current : undefined;
    before.current = open;
    if (closed === undefined) return;
    const row = linksIn(area.current).find(({ dataset }) => dataset['delivery'] === closed);
    (row ?? area.current?.querySelector<HTMLElement>('[role="group"]'))?.focus();
  }, [open, area]);
}
