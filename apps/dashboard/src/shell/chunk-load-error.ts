/** Whether a page failed because one of its files was not to be had; browsers have no other sign of it than words. */
export function isChunkLoadError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message) ||
    isChunkLoadError(error.cause)
  );
}

const KEY = 'finhook.begun-anew';

/**
 * Whether a page at this place may begin anew to get its files: once for each build. A file that the same build lacks
 * again (something between blocks it, or another build answers) would have the page begin anew for ever.
 */
export function mayBeginAnew(kept: Pick<Storage, 'getItem' | 'setItem'>, build: string, place: string): boolean {
  const now = `${build} ${place}`;
  if (kept.getItem(KEY) === now) return false;
  kept.setItem(KEY, now);
  return true;
}
