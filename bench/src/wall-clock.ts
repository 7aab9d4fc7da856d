/** Milliseconds since the epoch with a fraction, comparable between processes. */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}
