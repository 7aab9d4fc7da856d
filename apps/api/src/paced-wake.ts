/** Says that these endpoints have something due. */
export type Wake = (endpointIds: readonly string[]) => void;

/**
 * Sends wake-ups at most once in `intervalMs`: the first goes out at once, those that follow it are gathered and go out
 * together when the interval is over. A busy api names the same few endpoints hundreds of times a second, and each
 * call costs the queue's backend as much as a delivery does.
 */
export function createPacedWake(send: Wake, intervalMs: number): Wake {
  const waiting = new Set<string>();
  let paused = false;

  function pause(): void {
    paused = true;
    setTimeout(() => {
      paused = false;
      if (waiting.size > 0) release();
    }, intervalMs);
  }

  function release(): void {
    const endpointIds = [...waiting];
    waiting.clear();
    pause();
    send(endpointIds);
  }

  return (endpointIds) => {
    for (const id of endpointIds) waiting.add(id);
    if (!paused && waiting.size > 0) release();
  };
}
