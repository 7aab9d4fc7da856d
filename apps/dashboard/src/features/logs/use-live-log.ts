import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type KeysetRows, useKeysetRows } from '../../data/keyset-rows.ts';
import { type Inputs, useTRPC } from '../../data/trpc.ts';
import { type LogRow, readAgainAfter } from './logs.view.ts';

/** More new rows than this are "200+". */
const COUNTED = 200;

export interface LiveLog {
  rows: KeysetRows<LogRow>;
  /** Rows that came in since the reader scrolled down; `isMore` says that there are more than counted. */
  news: { count: number; isMore: boolean };
  /** Told by the table's frame: what is read stays in its place while the frame is not at its top. */
  onScroll: (frame: HTMLElement) => void;
  toTop: () => void;
}

/**
 * The log as it grows. At the top new rows come in above the others; further down the first page is held as it was,
 * so that nothing moves under the reader, and what came in meanwhile is only counted.
 */
export function useLiveLog(filters: Record<string, string | undefined>): LiveLog {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [held, setHeld] = useState<{ name: string; first: LogRow }>();
  const frame = useRef<HTMLElement>(undefined);
  // The service checks what the address says, and the page shows its refusal.
  const input: Exclude<Inputs['activity']['list'], void | undefined> = filters;
  const name = JSON.stringify(filters);
  const first = held?.name === name ? held.first : undefined;

  const rows = useKeysetRows((page) =>
    trpc.activity.list.queryOptions(
      { ...input, ...page },
      page.after === undefined
        ? {
            enabled: ({ state }) => first === undefined || state.data === undefined,
            refetchInterval: ({ state }) => readAgainAfter(state.data?.data ?? [], Date.now()),
          }
        : {},
    ),
  );
  const newer = useQuery(
    trpc.activity.list.queryOptions(
      { ...input, ...(first && { created_from: first.created_at }), limit: COUNTED },
      {
        enabled: first !== undefined,
        refetchInterval: ({ state }) => readAgainAfter(state.data?.data ?? [], Date.now()),
      },
    ),
  );
  const count = first === undefined ? 0 : (newer.data?.data.filter(({ id }) => id > first.id).length ?? 0);

  function follow(): void {
    setHeld(undefined);
    void client.invalidateQueries(trpc.activity.pathFilter());
  }
  return {
    rows,
    news: { count, isMore: count > 0 && newer.data?.has_more === true },
    onScroll(element) {
      frame.current = element;
      if (element.scrollTop > 0) {
        const top = rows.rowAt(0);
        if (first === undefined && top) setHeld({ name, first: top });
      } else if (held) follow();
    },
    toTop() {
      frame.current?.scrollTo({ top: 0 });
      frame.current?.focus({ preventScroll: true });
      follow();
    },
  };
}
