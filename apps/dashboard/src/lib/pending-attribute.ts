import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Keeps `data-pending` on the root element while the page navigates, reads or sends a change; tests wait for its removal. */
export function usePendingAttribute(): void {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' });
  const isPending = useIsFetching() + useIsMutating() > 0 || isNavigating;
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (isPending) {
      dataset['pending'] = '';
      return undefined;
    }
    // In a later task, because rendering a response may start further reads.
    const timer = setTimeout(() => delete dataset['pending']);
    return () => clearTimeout(timer);
  }, [isPending]);
}
