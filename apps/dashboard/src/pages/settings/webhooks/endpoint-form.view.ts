import { formText } from '../../../components/form.tsx';
import type { Outputs } from '../../../lib/trpc.ts';
import type { ReadValue } from '../../../operation/field-values.ts';

type Endpoint = Outputs['webhookEndpoints']['get'];

export const payloadNames = {
  full: 'Full: the whole record',
  thin: 'Thin: IDs, status and counts',
} as const satisfies Record<Endpoint['payload'], string>;

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function parseSeconds(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,7})\s*([smhd])?$/.exec(text.trim().toLowerCase()) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[unit] ?? 1);
}

export function parseWaits(text: string): number[] | undefined {
  const waits = text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(parseSeconds);
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === waits.length ? known : undefined;
}

export function formatSeconds(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? '0 s' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

export function writeWaits(waits: readonly number[]): string {
  return waits
    .map((wait) => {
      const unit = ['d', 'h', 'm'].find((name) => wait % (units[name] ?? 1) === 0) ?? 's';
      return `${wait / (units[unit] ?? 1)}${unit}`;
    })
    .join(', ');
}

const DEFAULT_ATTEMPTS = 10;

export function attemptsOf(schedule: readonly number[] | null | undefined): number {
  return schedule == null ? DEFAULT_ATTEMPTS : schedule.length + 1;
}

export function describeSchedule(schedule: readonly number[] | null): string {
  if (schedule === null) return 'Default: 10 attempts over 75 hours';
  if (schedule.length === 0) return 'No retries';
  const total = schedule.reduce((sum, wait) => sum + wait, 0);
  return `${schedule.length + 1} attempts over ${formatSeconds(total)}, with delays of ${schedule.map(formatSeconds).join(', ')}; one whose connection fails is repeated once at once`;
}

/** Reads the rows of a `PairsEditor`. Rows without a name and a value are ignored. */
export function readPairs(data: FormData, field: string, fold: (name: string) => string = String): ReadValue {
  const texts = (part: string): string[] => data.getAll(`${field}.${part}`).filter((text) => typeof text === 'string');
  const values = texts('value');
  const pairs = texts('name')
    .map((name, i) => [fold(name.trim()), values[i] ?? ''] as const)
    .filter(([name, value]) => name !== '' || value !== '');
  const names = pairs.map(([name]) => name);
  if (names.includes('')) return { fault: 'Enter a name for each value.' };
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? { value: Object.fromEntries(pairs) } : { fault: `${twice} is entered twice.` };
}

export function readRetry(data: FormData): ReadValue {
  const schedule = data.get('retry');
  if (schedule !== 'custom') return { value: schedule === 'none' ? [] : null };
  const delays = parseWaits(formText(data, 'delays') ?? '');
  return delays === undefined ? { fault: 'Enter delays such as 5s, 5m, 2h.' } : { value: delays };
}

export function readRate(data: FormData): ReadValue {
  const [requests, per = ''] = ['rate_requests', 'rate_seconds'].map((name) => formText(data, name));
  if (requests === undefined) return { value: null };
  if (![requests, per].every((text) => /^\d{1,9}$/.test(text))) return { fault: 'Enter two whole numbers.' };
  return { value: { requests: Number(requests), per_seconds: Number(per) } };
}

export function readSignatures(data: FormData): ReadValue {
  return { value: data.has('v1a') ? ['v1', 'v1a'] : ['v1'] };
}
