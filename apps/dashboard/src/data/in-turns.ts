/** Sends as `send` does, but has so many requests under way at most: the others wait for their turn. */
export function inTurns(max: number, send: typeof fetch): typeof fetch {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (...request) => {
    if (underWay === max) await new Promise<void>((go) => waiting.push(go));
    else underWay += 1;
    try {
      return await send(...request);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
