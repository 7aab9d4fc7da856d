import { useState } from 'react';
import { SelectField, TextField } from '../../../components/field.tsx';
import { formText } from '../../../components/form.tsx';
import type { ParsedValue } from '../../../operation/field-values.ts';
import type { Endpoint } from './use-endpoints.ts';

interface RateFieldsProps {
  rate: Endpoint['rate_limit'] | undefined;
  error: string | undefined;
}

export function RateFields({ rate, error }: RateFieldsProps): React.JSX.Element {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Rate limit (requests)"
        name="rate_requests"
        inputMode="numeric"
        placeholder="No limit"
        defaultValue={rate?.requests}
        error={error}
      />
      <TextField label="Per (seconds)" name="rate_seconds" inputMode="numeric" defaultValue={rate?.per_seconds ?? 1} />
    </div>
  );
}

export function readRateLimit(data: FormData): ParsedValue {
  const [requests, per = ''] = ['rate_requests', 'rate_seconds'].map((name) => formText(data, name));
  if (requests === undefined) return { value: null };
  if (![requests, per].every((text) => /^\d{1,9}$/.test(text))) return { fault: 'Enter two whole numbers.' };
  return { value: { requests: Number(requests), per_seconds: Number(per) } };
}

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
  return `${schedule.length + 1} attempts over ${formatSeconds(total)}, with delays of ${schedule.map(formatSeconds).join(', ')}. An attempt whose connection fails is repeated once, immediately`;
}

interface RetryFieldsProps {
  schedule: Endpoint['retry_schedule'] | undefined;
  error: string | undefined;
}

export function RetryFields({ schedule, error }: RetryFieldsProps): React.JSX.Element {
  const [retry, setRetry] = useState(schedule == null ? 'default' : schedule.length === 0 ? 'none' : 'custom');
  const [delays, setDelays] = useState(schedule?.length ? writeWaits(schedule) : '5s, 5m, 30m, 2h');
  const seconds = parseWaits(delays);
  return (
    <>
      <SelectField
        label="Retry schedule"
        name="retry"
        value={retry}
        onChange={(event) => setRetry(event.target.value)}
        error={retry === 'custom' ? undefined : error}
      >
        <option value="default">{describeSchedule(null)}</option>
        <option value="none">{describeSchedule([])}</option>
        <option value="custom">Custom schedule</option>
      </SelectField>
      {retry === 'custom' && (
        <TextField
          label="Delays between attempts"
          name="delays"
          value={delays}
          spellCheck={false}
          onChange={(event) => setDelays(event.target.value)}
          error={error}
          hint={
            seconds === undefined
              ? 'For example 5s, 5m, 2h, 1d. At most 15 delays.'
              : `${describeSchedule(seconds)}. Each delay varies by ±20 %.`
          }
        />
      )}
    </>
  );
}

export function readRetry(data: FormData): ParsedValue {
  const schedule = data.get('retry');
  if (schedule !== 'custom') return { value: schedule === 'none' ? [] : null };
  const delays = parseWaits(formText(data, 'delays') ?? '');
  return delays === undefined ? { fault: 'Enter delays such as 5s, 5m, 2h.' } : { value: delays };
}
