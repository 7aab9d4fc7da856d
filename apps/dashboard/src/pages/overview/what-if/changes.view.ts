import type { Inputs } from '../../../lib/trpc.ts';

export type Change = NonNullable<Inputs['financials']['forecast']['changes']>[number];

export const MAX_CHANGES = 5;

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function changeOf(entry: unknown): Change | undefined {
  if (!isList(entry)) return undefined;
  const [label, amount, every, from, until] = entry;
  if (typeof label !== 'string' || typeof amount !== 'number' || !Number.isSafeInteger(amount)) return undefined;
  if ((every !== 'month' && every !== 'once') || typeof from !== 'string') return undefined;
  return { label, amount_cents: amount, every, from, ...(typeof until === 'string' && { until }) };
}

/** The changes in the address; what is not one is left out. */
export function parseChanges(text: string): Change[] {
  const entries = asJson(text);
  if (!isList(entries)) return [];
  return entries.flatMap((entry) => changeOf(entry) ?? []).slice(0, MAX_CHANGES);
}

/** The changes for the address: `[["Two engineers",-4500000,"month","2027-01"]]`. */
export function formatChanges(changes: readonly Change[]): string {
  return JSON.stringify(
    changes.map(({ label, amount_cents, every, from, until }) => [
      label,
      amount_cents,
      every,
      from,
      ...(until === undefined || until === null ? [] : [until]),
    ]),
  );
}
