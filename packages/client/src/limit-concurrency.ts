const callsIn = (url: unknown): number => String(url).split('?', 1)[0]?.split(',').length ?? 1;

/** At most `maxCalls` calls are in flight; the others are queued. */
export function limitConcurrency<Request extends [url: unknown, ...rest: unknown[]], Result>(
  maxCalls: number,
  send: (...request: Request) => Promise<Result>,
): (...request: Request) => Promise<Result> {
  const waiting: { calls: number; go: () => void }[] = [];
  let free = maxCalls;
  const admit = (): void => {
    for (let first = waiting[0]; first !== undefined && first.calls <= free; first = waiting[0]) {
      waiting.shift();
      free -= first.calls;
      first.go();
    }
  };
  return async (...request) => {
    const calls = Math.min(callsIn(request[0]), maxCalls);
    await new Promise<void>((go) => {
      waiting.push({ calls, go });
      admit();
    });
    try {
      return await send(...request);
    } finally {
      free += calls;
      admit();
    }
  };
}
