import type { Tone } from '../../components/badge.tsx';
import type { Outputs } from '../../lib/trpc.ts';

export type Agent = Outputs['agents']['get'];
export type Binding = Agent['bindings'][number];
export type Action = Outputs['agentActions']['get'];
export type Flag = Outputs['agentFlags']['get'];
type Snapshot = Outputs['runtimeSnapshots']['get'];

export function liveBindings({ bindings }: Agent): readonly Binding[] {
  return bindings
    .filter(({ status }) => status !== 'unlinked')
    .sort((one, other) => Number(one.case_id !== null) - Number(other.case_id !== null));
}

export function companiesOf({ bindings }: Agent, ended = false): readonly string[] {
  return [...new Set(bindings.filter(({ status }) => ended || status !== 'unlinked').map((b) => b.company_id))];
}

export function outcomesOf(status: Action['status']): ReadonlyArray<'completed' | 'failed' | 'blocked'> {
  if (status === 'logged') return ['completed', 'failed', 'blocked'];
  return status === 'blocked' ? ['completed', 'failed'] : [];
}

/** A tab with the number of records that are open; without one if none is, or before they are read. */
export function tabTitle(title: string, open?: { data: readonly unknown[]; has_more: boolean }): string {
  if (open === undefined || open.data.length === 0) return title;
  return `${title} (${open.data.length}${open.has_more ? '+' : ''})`;
}

const SILENT_MS = 5 * 60_000;

export function runtimeHealth({ state, heartbeat_at }: Snapshot, now: number): { tone: Tone; text: string } {
  if (state === 'stopped') return { tone: 'neutral', text: 'Stopped' };
  if (state === 'error') return { tone: 'bad', text: 'Runtime error' };
  if (now - Date.parse(heartbeat_at) > SILENT_MS) {
    return { tone: 'warn', text: 'No heartbeat for over 5 minutes' };
  }
  return { tone: 'good', text: 'Recent heartbeat' };
}

export function formatMicros(micros: number): string {
  const text = String(micros).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}
