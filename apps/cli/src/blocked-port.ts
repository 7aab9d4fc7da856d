/** True if browsers block the port of the URL (Fetch standard). Node's fetch has the list, and rejects without connecting. */
export async function isPortBlocked(url: string): Promise<boolean> {
  const error: unknown = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(1_000) }).catch(
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'bad port';
}
