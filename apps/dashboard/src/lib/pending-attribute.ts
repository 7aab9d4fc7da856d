import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';

/** Keeps `data-pending` on the root element while the page navigates, reads or sends a change; tests wait for its removal. */
export function usePendingAttribute(): void {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' });
  const isBusy = useIsFetching() + useIsMutating() > 0 || isNavigating;
  // Content that is drawn in short tasks after a response is deferred, too, and shown together with the later value.
  const wasBusy = useDeferredValue(isBusy);
  const isPending = isBusy || wasBusy;
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
