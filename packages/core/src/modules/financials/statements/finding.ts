import type { CheckId, SnapshotCheck } from '@finhook/contracts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';

export type Finding =
  | { skip: string }
  | {
      expected?: bigint | undefined;
      actual?: bigint | undefined;
      /** Summed lines; each tolerates one minor unit of rounding. */
      lines?: number;
      /** Replaces the tolerance derived from `lines`. */
      tolerance?: bigint;
      /** Only an excess of actual over expected counts. */
      atMost?: boolean;
      failed?: boolean;
      message: string;
    };

export function toCheck(id: CheckId, name: string, finding: Finding): SnapshotCheck {
  if ('skip' in finding)
    return { id, name, status: 'skip', ...amounts(), tolerance_cents: null, message: finding.skip };
  const { expected, actual, message } = finding;
  const difference = differenceOf(finding);
  return {
    id,
    name,
    status: fails(finding) ? 'warn' : 'pass',
    ...amounts(expected, actual, difference),
    tolerance_cents: difference === undefined ? null : Number(toleranceOf(finding)),
    message,
  };
}

type Compared = Exclude<Finding, { skip: string }>;

function differenceOf({ expected, actual }: Compared): bigint | undefined {
  return expected === undefined || actual === undefined ? undefined : actual - expected;
}

function toleranceOf({ tolerance, lines = 0 }: Compared): bigint {
  return tolerance ?? BigInt(lines);
}

export function fails(finding: Finding): boolean {
  if ('skip' in finding) return false;
  const difference = differenceOf(finding) ?? 0n;
  const excess = difference < 0n ? (finding.atMost ? 0n : -difference) : difference;
  return finding.failed === true || excess > toleranceOf(finding);
}

function amounts(expected?: bigint, actual?: bigint, difference?: bigint) {
  return {
    ...exactCentsOf('expected', expected),
    ...exactCentsOf('actual', actual),
    ...exactCentsOf('difference', difference),
  };
}

export function compareSum(
  actual: bigint | undefined,
  parts: readonly (bigint | undefined)[],
  message: string,
): Finding {
  const sums = sumsOf(parts.map((part) => (part === undefined ? [] : [part])));
  return compareNearest(actual, sums, parts.length, message);
}

/** Compares `actual` with the nearest of `sums`, each of `lines` parts; skips without sums. */
export function compareNearest(
  actual: bigint | undefined,
  sums: readonly bigint[],
  lines: number,
  message: string,
): Finding {
  const [first, ...others] = sums;
  if (actual === undefined || first === undefined) return { skip: `Not all figures are given: ${message}` };
  const distance = (sum: bigint): bigint => (sum < actual ? actual - sum : sum - actual);
  const expected = others.reduce((best, sum) => (distance(sum) < distance(best) ? sum : best), first);
  return { expected, actual, lines, message };
}

export function sumsOf(parts: readonly (readonly bigint[])[]): readonly bigint[] {
  return parts.reduce<readonly bigint[]>(
    (sums, part) => [...new Set(sums.flatMap((sum) => part.map((amount) => sum + amount)))],
    [0n],
  );
}

export function worstFinding(findings: readonly Finding[]): Finding {
  return findings.find(fails) ?? findings.find((finding) => !('skip' in finding)) ?? { skip: firstSkip(findings) };
}

function firstSkip([first]: readonly Finding[]): string {
  return first && 'skip' in first ? first.skip : 'There is nothing to compare.';
}
