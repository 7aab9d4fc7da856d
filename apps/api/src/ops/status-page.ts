import type { TroubleReason } from '@finhook/core';
import { waitingLimit } from '@finhook/core';
import { formatCount, formatSpan, formatTime, secondsBetween } from './format.ts';
import { type Html, html } from './html.ts';
import { opsPath } from './page.ts';
import { type ConsoleStatus, recentMs, troubleLimit } from './read-status.ts';
import { table } from './table.ts';

export interface StatusPageOptions {
  readonly status: ConsoleStatus;
  /** The queue's backend, in a word. */
  readonly backend: string;
  /** Whether the page comes again by itself. */
  readonly refreshes: boolean;
}

/** The main part of `/ops`. */
export function statusPage({ status, backend, refreshes }: StatusPageOptions): Html {
  const switchOff = html`It comes again every 5 s. <a href="${opsPath}?refresh=off">Stop that</a>`;
  const switchOn = html`It stays as it is. <a href="${opsPath}">Let it come again every 5 s</a>`;
  return html`<p class="note">As of ${formatTime(status.at, status.at)}. ${refreshes ? switchOff : switchOn}</p>
${section('ledger', 'Deliveries accounted for', ledgerPart(status))}
${section('work', 'Work', workPart(status))}
${section('recent', `Deliveries of the last ${formatSpan(recentMs / 1000)}`, recentPart(status))}
${section('trouble', 'Endpoints in trouble', troublePart(status))}
${section('processes', 'Processes', processPart(status))}
${section('queue', 'Queue', queuePart(status, backend))}`;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

const unread = html`<p class="bad">It can't be read right now.</p>`;

function facts(entries: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl>${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function ledgerPart({ ledger, at }: ConsoleStatus): Html {
  if (ledger === undefined) return unread;
  const { whole, unaccounted, counted } = ledger;
  const verdict =
    unaccounted === 0
      ? html`<p class="good">accepted − terminal − scheduled = 0: none is lost.</p>`
      : html`<p class="bad">accepted − terminal − scheduled = ${formatCount(unaccounted)}: deliveries are lost. Leave the
database as it is and compare delivery with due.</p>`;
  const going = counted > 0 && html` The next count has come to ${formatCount(counted)}.`;
  if (whole === undefined) {
    return html`${verdict}<p class="note">The first count goes on while this page is looked at: so far
${formatCount(counted)} deliveries.</p>`;
  }
  return html`${verdict}${facts([
    ['Accepted', formatCount(whole.accepted)],
    ['Terminal', formatCount(whole.terminal)],
    ['Scheduled', formatCount(whole.scheduled)],
  ])}<p class="note">Every delivery that is kept, counted until ${formatTime(whole.at, at)}.${going}</p>`;
}

function workPart({ work, processes }: ConsoleStatus): Html {
  const alive = processes?.filter(({ gone }) => !gone);
  const inFlight = alive?.reduce((sum, process) => sum + process.inFlight, 0);
  const count = (value: number | undefined) =>
    value === undefined ? '–' : formatCount(value, work?.limit ?? Number.POSITIVE_INFINITY);
  return html`${work === undefined && unread}${facts([
    ['Due now', count(work?.due)],
    ['Oldest due', work === undefined ? '–' : formatSpan(work.oldestDueAgeSeconds)],
    ['In flight', inFlight === undefined ? '–' : formatCount(inFlight)],
    ['Due, but held', count(work?.held)],
  ])}<p class="note">Held are deliveries of paused and disabled endpoints; what waits for a breaker,
    a Retry-After or a rate limit counts as due. In flight is what workers said last.</p>`;
}

function recentPart({ recent, at }: ConsoleStatus): Html {
  if (recent === undefined) return unread;
  const { succeeded, failed, cancelled, retrying, waiting, truncated, since } = recent;
  return html`${facts([
    ['Succeeded', formatCount(succeeded)],
    ['Failed for good', formatCount(failed)],
    ['To be tried again', formatCount(retrying)],
    ['Not tried yet', formatCount(waiting)],
    ['Cancelled', formatCount(cancelled)],
  ])}${truncated && html`<p class="note">There were more: these are the ones since ${formatTime(since, at)}.</p>`}`;
}

const reasonWords: Readonly<Record<TroubleReason, string>> = {
  failing: 'failing',
  breaker_open: 'breaker open',
  resting: 'asked for a rest',
  blocked: 'head of its order blocked',
  backlog: 'backlog',
  disabled: 'disabled',
  paused: 'paused',
};

function troublePart({ trouble, at }: ConsoleStatus): Html {
  if (trouble === undefined) return unread;
  if (trouble.length === 0) return html`<p class="good">None.</p>`;
  const most = trouble.length === troubleLimit ? `The ${troubleLimit} worst` : 'All accounts';
  return table({
    id: 'trouble-caption',
    caption: `${most}, the worst first`,
    rows: trouble,
    columns: [
      { head: 'Endpoint', cell: ({ endpointId }) => html`<code>${endpointId}</code>` },
      { head: 'Account', cell: ({ accountId }) => html`<code>${accountId}</code>` },
      { head: 'Host', cell: ({ host }) => host },
      {
        head: 'Reasons',
        cell: ({ reasons }) => html`<ul>${reasons.map(({ reason }) => html`<li>${reasonWords[reason]}</li>`)}</ul>`,
      },
      {
        head: 'Since',
        cell: ({ reasons }) =>
          html`<ul>${reasons.map(({ since }) => html`<li>${since === null ? '–' : formatTime(since, at)}</li>`)}</ul>`,
      },
      {
        head: 'Failures in a row',
        isNumber: true,
        cell: ({ consecutiveFailures }) => formatCount(consecutiveFailures),
      },
      { head: 'Waiting', isNumber: true, cell: ({ waiting }) => formatCount(waiting, waitingLimit) },
    ],
  });
}

function processPart({ processes, at }: ConsoleStatus): Html {
  if (processes === undefined) return unread;
  const workers = processes.filter(({ role, gone }) => role === 'worker' && !gone).length;
  return html`${workers === 0 && html`<p class="bad">No worker is alive: nothing is delivered.</p>`}${table({
    id: 'processes-caption',
    caption: 'Gone is who has not said for 20 s that it is alive; connections to the database: busy, idle, waited for',
    rows: processes,
    columns: [
      { head: 'Process', cell: ({ id }) => html`<code>${id}</code>` },
      { head: 'Role', cell: ({ role }) => role },
      { head: 'State', cell: ({ gone }) => (gone ? html`<span class="bad">gone</span>` : 'alive') },
      { head: 'Host', cell: ({ host }) => host },
      { head: 'Pid', isNumber: true, cell: ({ pid }) => String(pid) },
      { head: 'Version', cell: ({ version }) => version },
      { head: 'Started', cell: ({ startedAt }) => formatTime(startedAt, at) },
      { head: 'Last seen', cell: ({ seenAt }) => `${formatSpan(secondsBetween(seenAt, at))} ago` },
      {
        head: 'In flight',
        isNumber: true,
        cell: ({ role, inFlight }) => (role === 'worker' ? formatCount(inFlight) : '–'),
      },
      {
        head: 'Connections',
        isNumber: true,
        cell: ({ connections: { busy, idle, waiting } }) => `${busy}, ${idle}, ${waiting}`,
      },
    ],
  })}`;
}

function queuePart({ queue }: ConsoleStatus, backend: string): Html {
  if (queue === undefined) {
    return html`<p class="bad">The queue (${backend}) can't be reached. Deliveries go on, about a second later.</p>`;
  }
  return table({
    id: 'queue-caption',
    caption: `Wake-ups on ${backend}; the backlog is in the database`,
    rows: queue,
    columns: [
      { head: 'Jobs', cell: ({ job }) => html`<code>${job}</code>` },
      { head: 'Waiting', isNumber: true, cell: ({ counts }) => formatCount(counts.waiting) },
      { head: 'Active', isNumber: true, cell: ({ counts }) => formatCount(counts.active) },
      { head: 'Delayed', isNumber: true, cell: ({ counts }) => formatCount(counts.delayed) },
    ],
  });
}
