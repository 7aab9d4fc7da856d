import { Link } from '@tanstack/react-router';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Instant } from '../../../components/time.tsx';
import { formatCount, formatDecimal } from '../../../lib/format-number.ts';
import { fieldOf, textIn } from '../../../lib/problem.ts';
import { plural } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { type Endpoint, useUndelivered } from './use-endpoints.ts';

type Event = Outputs['events']['list']['data'][number];

interface Note {
  text: string;
  at?: string | undefined;
}

interface Health {
  tone: Tone;
  word: string;
  notes: readonly Note[];
}

const disabledBecause = {
  gone: 'Disabled after a 410 Gone response.',
  failing: 'Disabled after five days without a 2xx response.',
  manual: 'Disabled manually.',
} as const;

/** Consecutive failed attempts that make an endpoint failing, as in `delivery`, which the dashboard can't import. */
const FAILING_AT = 5;

/** `1 failed attempt`, `5,670 failed attempts in a row`. */
function inARow(failures: number): string {
  return `${plural(failures, 'failed attempt')}${failures === 1 ? '' : ' in a row'}`;
}

function flowNotes({ health, blocked_by: blocked }: Endpoint): Note[] {
  const open = health.state === 'open';
  return [
    open && {
      text: `No response to the last ${plural(health.consecutive_failures, 'attempt')}. Deliveries are on hold. Next probe:`,
      at: health.next_probe_at ?? undefined,
    },
    health.state === 'half_open' && {
      text: 'Recovering: sending one delivery as a probe.',
    },
    health.wait_until !== null && {
      text: 'Waiting, because the server sent Retry-After, until',
      at: health.wait_until,
    },
    health.paced_to !== null && {
      text: `Rate reduced to ${formatDecimal(health.paced_to, 1)} requests per second after overload responses.`,
    },
    blocked !== null && {
      text: `Ordered deliveries are blocked by one that has failed ${plural(blocked.attempts, 'time')} since`,
      at: blocked.since,
    },
  ].filter((note) => note !== false);
}

export function healthOf(endpoint: Endpoint, disableAt?: string): Health {
  const { status, consecutive_failures: failures, disabled_reason: reason } = endpoint;
  const hidesStreak = failures === 0 || (status === 'active' && endpoint.health.state === 'open');
  const streak: Note[] = hidesStreak ? [] : [{ text: `${inARow(failures)}.` }];
  if (status === 'disabled') {
    const because = reason === null ? 'Disabled.' : disabledBecause[reason];
    return {
      tone: 'bad',
      word: 'Disabled',
      notes: [{ text: `${because} Deliveries are on hold until you enable the endpoint.` }],
    };
  }
  if (status === 'paused') {
    return {
      tone: 'warn',
      word: 'Paused',
      notes: [{ text: 'Deliveries are on hold until you resume the endpoint.' }, ...streak],
    };
  }
  const warning: Note[] =
    disableAt === undefined ? [] : [{ text: 'We disable the endpoint unless it responds with 2xx by', at: disableAt }];
  const notes = [...flowNotes(endpoint), ...streak, ...warning];
  if (endpoint.health.state === 'open') return { tone: 'bad', word: 'Unreachable', notes };
  if (failures >= FAILING_AT) return { tone: 'bad', word: 'Failing', notes };
  if (notes.length > 0) return { tone: 'warn', word: failures > 0 ? 'Degraded' : 'Throttled', notes };
  const last = lastOutcome(endpoint);
  if (last === undefined) return { tone: 'neutral', word: 'No deliveries yet', notes };
  // Resuming an endpoint sets its failures in a row to 0.
  if (!last.ok) return { tone: 'warn', word: 'Last attempt failed', notes };
  return { tone: 'good', word: 'Healthy', notes };
}

export function connectionStatus(endpoint: Endpoint): string {
  const { state, consecutive_failures: failures } = endpoint.health;
  if (state === 'open') return 'Unreachable';
  if (state === 'half_open') return 'Probing';
  const last = lastOutcome(endpoint);
  if (last === undefined) return 'No attempts yet';
  if (failures > 0) return `No response to the last ${failures === 1 ? 'attempt' : plural(failures, 'attempt')}`;
  // Resuming an endpoint sets both counts to 0.
  return last.ok || endpoint.consecutive_failures > 0 ? 'Last connection succeeded' : 'Unknown until the next attempt';
}

export function lastOutcome(endpoint: Endpoint): { ok: boolean; at: string } | undefined {
  const { last_success_at: success, last_failure_at: failure } = endpoint;
  if (success === null && failure === null) return undefined;
  const ok = failure === null || (success !== null && success >= failure);
  return { ok, at: (ok ? success : failure) ?? '' };
}

/** The endpoints that receive events of a company, and the others; without a company, all are its own. */
export function endpointsOf<One extends { company_id: string | null }>(
  endpoints: readonly One[],
  companyId: string | undefined,
): { own: One[]; others: One[] } {
  const isOwn = ({ company_id: id }: One): boolean => companyId === undefined || id === null || id === companyId;
  return { own: endpoints.filter(isOwn), others: endpoints.filter((one) => !isOwn(one)) };
}

const byTone: readonly Tone[] = ['bad', 'warn', 'info', 'neutral', 'good'];

/** Endpoints that need somebody first, else in the order of before. */
export function worstFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  const rank = (one: Endpoint): number => byTone.indexOf(healthOf(one).tone);
  return endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** Why replayed events will not arrive now; undefined if they can. */
export function replayProblem(endpoint: Endpoint): string | undefined {
  const { status, consecutive_failures: failures } = endpoint;
  if (status !== 'active') return `The endpoint is ${status}. The events are sent once it is active again.`;
  if (failures === 0) return undefined;
  const last = failures === 1 ? 'its last attempt failed' : `its last ${plural(failures, 'attempt')} failed`;
  return `The endpoint is failing: ${last}. Fix your server first, or the events will fail again.`;
}

function numberIn(data: object, name: string): number | undefined {
  const value = fieldOf(data, name);
  return typeof value === 'number' ? value : undefined;
}

export function willDisableAt(endpoint: Endpoint, failing: readonly Event[]): string | undefined {
  if (endpoint.status !== 'active' || endpoint.consecutive_failures === 0) return undefined;
  const since = endpoint.last_success_at ?? '';
  const newest = failing
    .filter(({ data, created_at: at }) => textIn(data, 'id') === endpoint.id && at > since)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return newest[0] && textIn(newest[0].data, 'will_disable_at');
}

interface HistoryEntry {
  id: string;
  at: string;
  tone: Tone;
  text: string;
}

const reasons: Readonly<Record<string, string>> = {
  gone: '410 Gone response',
  failing: 'too many failures',
};

function historyText({ type, data }: Event): [tone: Tone, text: string] | undefined {
  const failures = numberIn(data, 'consecutive_failures') ?? 0;
  const last = textIn(data, 'last_error');
  switch (type) {
    case 'webhook_endpoint.failing':
      return ['bad', `Failing: ${inARow(failures)}. ${last ?? ''}`.trim()];
    case 'webhook_endpoint.disabled':
      return ['bad', `Disabled: ${reasons[textIn(data, 'disabled_reason') ?? ''] ?? 'see the activity log'}.`];
    case 'webhook_endpoint.recovered':
      return ['good', `Recovered after ${plural(numberIn(data, 'failed_attempts') ?? 0, 'failed attempt')}.`];
    case 'webhook_endpoint.backlog':
      return [
        'warn',
        `Backlog: the oldest due delivery waited ${plural(numberIn(data, 'age_seconds') ?? 0, 'second')}.`,
      ];
    default:
      return undefined;
  }
}

export function historyOf(endpointId: string, events: readonly Event[]): HistoryEntry[] {
  return events
    .filter(({ data }) => textIn(data, 'id') === endpointId)
    .flatMap((event) => {
      const entry = historyText(event);
      return entry ? [{ id: event.id, at: event.created_at, tone: entry[0], text: entry[1] }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

export function HealthSummary({ endpoint, failing }: { endpoint: Endpoint; failing: readonly Event[] }) {
  const { tone, word, notes } = healthOf(endpoint, willDisableAt(endpoint, failing));
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-1 [&_time]:whitespace-normal">
          {notes.map(({ text, at }) => (
            <li key={text}>
              {text}
              {at !== undefined && (
                <>
                  {' '}
                  <Instant at={at} seconds />.
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function Undelivered({ endpointId }: { endpointId: string }): React.JSX.Element {
  const { data: count } = useUndelivered(endpointId);
  if (count === undefined) return <span className="text-muted">…</span>;
  if (count === 0) return <span className="tabular-nums">0</span>;
  return (
    <Link
      to="/settings/webhooks"
      search={{ tab: 'deliveries', status: 'undelivered', endpoint_id: endpointId }}
      className="text-accent tabular-nums underline"
      aria-label={`${formatCount(count)} undelivered. View deliveries`}
    >
      {formatCount(count)}
    </Link>
  );
}
