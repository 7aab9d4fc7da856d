const WIDTH = 240;
const HEIGHT = 56;
const EDGE = 3;

interface Spark {
  line: string;
  area: string;
  zero: number | undefined;
  width: number;
  height: number;
}

/** Position of `value` between `low` and `high` in thousandths; a chart needs no more precision. */
function share(value: bigint, low: bigint, high: bigint): number {
  return high === low ? 0.5 : Number(((value - low) * 10_000n) / (high - low)) / 10_000;
}

export function drawSpark(values: readonly bigint[]): Spark | undefined {
  if (values.length < 2) return undefined;
  const low = values.reduce((a, b) => (b < a ? b : a));
  const high = values.reduce((a, b) => (b > a ? b : a));
  const y = (value: bigint): number => EDGE + (1 - share(value, low, high)) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, i) => `${((i / (values.length - 1)) * WIDTH).toFixed(1)} ${y(value).toFixed(1)}`);
  const zero = low < 0n && high > 0n ? y(0n) : undefined;
  const floor = zero ?? (high <= 0n && low < 0n ? 0 : HEIGHT);
  return {
    line: `M${points.join('L')}`,
    area: `M0 ${floor}L${points.join('L')}L${WIDTH} ${floor}Z`,
    zero,
    width: WIDTH,
    height: HEIGHT,
  };
}
