const callsIn = (url: unknown): number => String(url).split('?', 1)[0]?.split(',').length ?? 1;

/** Sends as `send` does, but has tRPC requests with so many calls under way at most: the others wait for their turn. */
export function limitConcurrency<Request extends [url: unknown, ...rest: unknown[]], Answer>(
  maxCalls: number,
  send: (...request: Request) => Promise<Answer>,
): (...request: Request) => Promise<Answer> {
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
