/** True if a chunk failed to load. Browsers identify this error by its message only. */
export function isChunkLoadError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message) ||
    isChunkLoadError(error.cause)
  );
}

const KEY = 'finhook.reloaded';

/** True once per build: if the same build lacks the chunk again, reloading would loop. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, build: string, path: string): boolean {
  const current = `${build} ${path}`;
  if (storage.getItem(KEY) === current) return false;
  storage.setItem(KEY, current);
  return true;
}
