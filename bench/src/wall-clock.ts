/** Milliseconds since the epoch with a fraction: the machine's clock, so that processes can compare what they note. */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}
