import type { UnhealthyReason } from '@finhook/core';
import { formatCount, formatNewest, formatSpan, minuteText, secondsBetween } from './page.ts';
import { type ConsoleStatus, recentMs, unhealthyLimit } from './read-status.ts';

type Tone = 'good' | 'warn' | 'bad';

export interface Verdict {
  readonly tone: Tone;
  /** The worst fact, or that nothing is wrong. */
  readonly worst: string;
  readonly others: readonly string[];
}

interface Check {
  readonly tone: Exclude<Tone, 'good'>;
  /** A sentence without its full stop, if there is something to say. */
  readonly find: (status: ConsoleStatus) => string | false;
}

/** In seconds, as in the alerts FinhookBacklogOld and FinhookMoveUnfinished. */
const backlogAge = 300;
const moveAge = 600;
/** In seconds. An older fact is no news. */
const goneNews = 3_600;
const disabledNews = 86_400;

const parts = {
  lostDeliveries: 'the count of all deliveries',
  work: 'work',
  recent: 'outcomes',
  unhealthy: 'endpoints',
  moves: 'account moves',
  processes: 'processes',
} as const satisfies Partial<Record<keyof ConsoleStatus, string>>;

/** The most severe first. */
const checks: readonly Check[] = [
  {
    tone: 'bad',
    find: ({ lostDeliveries: { lost } = { lost: 0 } }) => lost > 0 && `${counted(lost, 'delivery', 'deliveries')} lost`,
  },
  {
    tone: 'bad',
    find({ processes }) {
      const isWorking = processes?.some(({ role, gone }) => role === 'worker' && !gone);
      return isWorking === false && 'No worker is running, and nothing is delivered';
    },
  },
  {
    tone: 'bad',
    find(status) {
      const unread = Object.entries(parts).filter(([part]) => Reflect.get(status, part) === undefined);
      if (unread.length === Object.keys(parts).length) return 'The database does not respond';
      return unread.length > 0 && `Unavailable right now: ${unread.map(([, name]) => name).join(', ')}`;
    },
  },
  { tone: 'bad', find: (status) => endpoints(status, 'failing', ['failing', 'breaker_open']) },
  {
    tone: 'bad',
    find: ({ work }) =>
      work !== undefined &&
      work.oldestDueAgeSeconds > backlogAge &&
      `${counted(work.due, 'delivery', 'deliveries', work.limit)} due, the oldest for ${formatSpan(work.oldestDueAgeSeconds)}`,
  },
  {
    tone: 'warn',
    find: ({ queue }) => queue === undefined && 'The queue is unreachable, and deliveries begin about one second later',
  },
  { tone: 'warn', find: (status) => endpoints(status, 'delayed', ['blocked', 'resting', 'backlog']) },
  {
    tone: 'warn',
    find: ({ recent: { failed } = { failed: 0 } }) =>
      failed > 0 &&
      `${counted(failed, 'delivery', 'deliveries')} failed permanently in the last ${formatSpan(recentMs / 1000)}`,
  },
  {
    tone: 'warn',
    find({ moves = [] }) {
      const stuck = moves.filter(({ state, stateSeconds }) => state !== 'copying' && stateSeconds > moveAge);
      const longest = Math.max(...stuck.map(({ stateSeconds }) => stateSeconds));
      return stuck.length > 0 && `${counted(stuck.length, 'account move')} unfinished for ${formatSpan(longest)}`;
    },
  },
  {
    tone: 'warn',
    find({ processes = [], at }) {
      const gone = processes.filter((process) => process.gone && secondsBetween(process.seenAt, at) < goneNews);
      return gone.length > 0 && `${counted(gone.length, 'process', 'processes')} gone without a shutdown`;
    },
  },
  { tone: 'warn', find: (status) => endpoints(status, 'disabled', ['disabled'], disabledNews) },
];

export function verdictOf(status: ConsoleStatus): Verdict {
  const found = checks.flatMap(({ tone, find }) => {
    const text = find(status);
    return text === false ? [] : [{ tone, text }];
  });
  const [worst, ...others] = found;
  if (worst === undefined)
    return { tone: 'good', worst: 'No endpoint is failing, and no delivery is late', others: [] };
  return { tone: worst.tone, worst: worst.text, others: others.map(({ text }) => text) };
}

/** `1 endpoint failing since 21:48 UTC, 622 undelivered`. The first reason of an endpoint is its worst. */
function endpoints(
  { unhealthy = [], at }: ConsoleStatus,
  word: string,
  reasons: readonly UnhealthyReason[],
  news = Number.POSITIVE_INFINITY,
): string | false {
  const found = unhealthy.flatMap(({ reasons: [worst], facts }) => {
    if (worst === undefined || !reasons.includes(worst.reason)) return [];
    const since = worst.since ?? at;
    return secondsBetween(since, at) < news ? [{ since, facts }] : [];
  });
  if (found.length === 0) return false;
  const first = found.reduce((earliest, { since }) => (since < earliest ? since : earliest), at);
  const undelivered = found.reduce((sum, one) => sum + (one.facts?.undelivered ?? 0), 0);
  const newest = found.find((one) => one.facts?.countedNewest)?.facts?.countedNewest ?? null;
  const each = newest === null || found.length === 1 ? '' : ' of each';
  return [
    `${counted(found.length, 'endpoint', 'endpoints', unhealthyLimit)} ${word}`,
    first < at && ` since ${minuteText(first, at)}`,
    undelivered > 0 && `, ${formatCount(undelivered)} undelivered${formatNewest(newest)}${each}`,
  ]
    .filter((text) => text !== false)
    .join('');
}

function counted(count: number, one: string, many = `${one}s`, limit?: number): string {
  return `${formatCount(count, limit)} ${count === 1 ? one : many}`;
}
