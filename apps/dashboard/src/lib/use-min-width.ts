import { useCallback, useSyncExternalStore } from 'react';

/** True if the window is at least so wide, in rem: 64 is Tailwind's `lg`, 80 its `xl`. */
export function useMinWidth(rem: number): boolean {
  const wide = `(min-width: ${rem}rem)`;
  const subscribe = useCallback(
    (onChange: () => void) => {
      const query = matchMedia(wide);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    [wide],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(wide).matches);
}
