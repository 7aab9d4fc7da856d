import type { Outputs } from '../../data/trpc.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Agent = Outputs['agents']['get'];
export type Binding = Agent['bindings'][number];
export type Action = Outputs['agentActions']['get'];
export type Flag = Outputs['agentFlags']['get'];
type Snapshot = Outputs['runtimeSnapshots']['get'];

/** Bindings that hold, at companies as a whole before those at single cases. */
export function liveBindings({ bindings }: Agent): readonly Binding[] {
  return bindings
    .filter(({ status }) => status !== 'unlinked')
    .sort((one, other) => Number(one.case_id !== null) - Number(other.case_id !== null));
}

/** The companies that the agent works for, each once; also those it only worked for once, with `ended`. */
export function companiesOf({ bindings }: Agent, ended = false): readonly string[] {
  return [...new Set(bindings.filter(({ status }) => ended || status !== 'unlinked').map((b) => b.company_id))];
}

/** How an action may go on from here. */
export function outcomesOf(status: Action['status']): ReadonlyArray<'completed' | 'failed' | 'blocked'> {
  if (status === 'logged') return ['completed', 'failed', 'blocked'];
  return status === 'blocked' ? ['completed', 'failed'] : [];
}

const SILENT_MS = 5 * 60_000;

/** What the runtime's last word means at `now`: a runtime that should speak and does not is told apart. */
export function runtimeHealth({ state, heartbeat_at }: Snapshot, now: number): { tone: Tone; text: string } {
  if (state === 'stopped') return { tone: 'neutral', text: 'Stopped' };
  if (state === 'error') return { tone: 'bad', text: 'The runtime reports an error' };
  if (now - Date.parse(heartbeat_at) > SILENT_MS) {
    return { tone: 'warn', text: 'No heartbeat for more than five minutes' };
  }
  return { tone: 'good', text: 'Heartbeat is recent' };
}

/** Millionths of a currency's unit as decimal text, without the zeros at its end. */
export function formatMicros(micros: number): string {
  const text = String(micros).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}
