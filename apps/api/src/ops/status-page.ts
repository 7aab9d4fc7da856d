import type { EndpointFacts, UnhealthyReason } from '@finhook/core';
import { type Html, html } from '../http/html.ts';
import { type DueSample, historyMs, sampleMs } from './due-history.ts';
import { actionPath, endpointActions } from './endpoint-actions.ts';
import { formatCount, formatNewest, formatSpan, formatTime, opsPath, secondsBetween, table } from './page.ts';
import {
  type ConsoleStatus,
  ratedLimit,
  recentMs,
  type ShownEndpoint,
  unhealthyLimit,
  waitingLimit,
} from './read-status.ts';
import { sparkline } from './sparkline.ts';
import { verdictOf } from './worst-fact.ts';

export interface StatusPageOptions {
  readonly status: ConsoleStatus;
  readonly backend: string;
  readonly refreshes: boolean;
}

export function statusPage({ status, backend, refreshes }: StatusPageOptions): Html {
  const pause = html`Refreshes every 5 s · <a href="${opsPath}?refresh=off">Stop refreshing</a>`;
  const resume = html`Not refreshing · <a href="${opsPath}">Refresh every 5 s</a>`;
  return html`${verdictPart(status)}<p class="note">As of ${formatTime(status.at, status.at)} · ${refreshes ? pause : resume}</p>
<p class="bad" id="unreachable" role="status" hidden>The service is unreachable. The figures below are out of date.</p>
${section('ledger', 'Deliveries accounted for', lostPart(status))}
${section('work', 'Work', workPart(status))}
${section('recent', `Outcomes of the last ${formatSpan(recentMs / 1000)}`, recentPart(status))}
${section('trouble', 'Unhealthy endpoints', unhealthyPart(status))}
${section('moves', 'Account moves', movesPart(status))}
${section('processes', 'Processes', processPart(status))}
${section('queue', 'Queue', queuePart(status, backend))}`;
}

function verdictPart(status: ConsoleStatus): Html {
  const { tone, worst, others } = verdictOf(status);
  return html`<div class="verdict ${tone}" role="status"><p>${worst}.</p>${
    others.length > 0 && html`<ul>${others.map((fact) => html`<li>${fact}.</li>`)}</ul>`
  }</div>
`;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

const unread = html`<p class="bad">Unavailable right now.</p>`;

function figures(entries: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl>${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function lostPart({ lostDeliveries, at }: ConsoleStatus): Html {
  if (lostDeliveries === undefined) return unread;
  const { whole, lost, counted } = lostDeliveries;
  const verdict =
    lost === 0
      ? html`<p class="good">All ${formatCount(whole?.accepted ?? counted)} deliveries are accounted for.</p>`
      : html`<p class="bad">${formatCount(lost)} ${lost === 1 ? 'delivery is' : 'deliveries are'} lost: neither finished nor
scheduled. Don’t change the database. Compare the tables delivery and due.</p>`;
  const going = counted > 0 && html` The next count is at ${formatCount(counted)}.`;
  if (whole === undefined) {
    return html`${verdict}<p class="note">The first count runs while this page is open:
${formatCount(counted)} deliveries so far.</p>`;
  }
  return html`${verdict}${figures([
    ['Accepted', formatCount(whole.accepted)],
    ['Finished', formatCount(whole.terminal)],
    ['Scheduled', formatCount(whole.scheduled)],
  ])}<p class="note">All stored deliveries, counted at ${formatTime(whole.at, at)}.${going}</p>`;
}

function workPart(status: ConsoleStatus): Html {
  const { work, processes, history } = status;
  const alive = processes?.filter(({ gone }) => !gone);
  const inFlight = alive?.reduce((sum, process) => sum + process.inFlight, 0);
  const count = (value: number | undefined) =>
    value === undefined ? '–' : formatCount(value, work?.limit ?? Number.POSITIVE_INFINITY);
  return html`${work === undefined && unread}${figures([
    ['Due now', html`${count(work?.due)}${lastHour(status, ({ due }) => due, formatCount)}`],
    [
      'Oldest due',
      html`${work === undefined ? '–' : formatSpan(work.oldestDueAgeSeconds)}${lastHour(
        status,
        ({ oldestDueAgeSeconds }) => oldestDueAgeSeconds,
        formatSpan,
      )}`,
    ],
    ['In flight', inFlight === undefined ? '–' : formatCount(inFlight)],
    ['On hold', count(work?.held)],
  ])}<p class="note">On hold: deliveries to paused and disabled endpoints. Deliveries waiting for a circuit
    breaker, a Retry-After or a rate limit count as due. In flight: as last reported by the workers.${
      history[0] !== undefined &&
      html` The lines show the last hour. This api process takes a sample each minute. The oldest is of ${formatTime(history[0].at, status.at)}.`
    }</p>`;
}

/** The samples and the present value. */
function lastHour(
  { history, work, at }: ConsoleStatus,
  valueOf: (sample: DueSample) => number,
  format: (value: number) => string,
): Html | false {
  const samples = work === undefined ? history : [...history, { at, ...work }];
  const points = samples.map((sample) => ({ at: sample.at, value: valueOf(sample) }));
  return sparkline({ points, to: at, spanMs: historyMs, gapMs: 3 * sampleMs, format });
}

function recentPart({ recent, at }: ConsoleStatus): Html {
  if (recent === undefined) return unread;
  const { succeeded, failed, retried, truncated, since } = recent;
  return html`${figures([
    ['Succeeded', formatCount(succeeded)],
    ['Failed', formatCount(failed)],
    ['Failed attempts, retried', formatCount(retried)],
  ])}<p class="note">Counted by the time of the attempt. Failed: deliveries that failed permanently.
    ${truncated && html`Only attempts since ${formatTime(since, at)} are counted.`}</p>`;
}

const reasonWords: Readonly<Record<UnhealthyReason, string>> = {
  failing: 'Failing',
  breaker_open: 'Unreachable, requests paused',
  resting: 'Asked to wait (Retry-After)',
  blocked: 'Blocked by an earlier delivery',
  backlog: 'Backlog',
  disabled: 'Disabled',
  paused: 'Paused',
};

function unhealthyPart({ unhealthy }: ConsoleStatus): Html {
  if (unhealthy === undefined) return unread;
  if (unhealthy.length === 0) return html`<p class="good">None.</p>`;
  const most = unhealthy.length === unhealthyLimit ? `The ${unhealthyLimit} most severe` : 'All accounts';
  return html`${table({
    id: 'trouble-caption',
    caption: `${most}, most severe first`,
    rows: unhealthy,
    columns: [
      {
        head: 'Endpoint',
        cell: ({ endpointId, host, facts }) => lines(facts?.description, host, html`<code>${endpointId}</code>`),
      },
      { head: 'Actions', cell: actionsOf },
      { head: 'Undelivered', isNumber: true, cell: ({ facts }) => formatUndelivered(facts) },
      {
        head: 'Account',
        cell: ({ accountId, facts }) =>
          lines(facts?.accountName, facts?.companyName ?? 'All companies', html`<code>${accountId}</code>`),
      },
      {
        head: 'Since',
        cell: ({ reasons }) =>
          lines(
            ...reasons.map(
              ({ reason, since }) => html`${reasonWords[reason]}${since !== null && html`, ${formatTime(since)}`}`,
            ),
          ),
      },
      {
        head: 'Failures',
        isNumber: true,
        cell: ({ consecutiveFailures }) => formatCount(consecutiveFailures),
      },
      { head: 'Last code', cell: ({ facts }) => formatFailure(facts?.lastFailure) },
      { head: 'Success in 1 h', isNumber: true, cell: ({ facts }) => formatRate(facts) },
      { head: 'Waiting', isNumber: true, cell: ({ waiting }) => formatCount(waiting, waitingLimit) },
    ],
  })}<p class="note">Failures: failed attempts in a row. Last code: the response to the last failed attempt.
    Success in 1 h: the share that succeeded of the
    attempted deliveries among the newest ${formatCount(ratedLimit)} of the last hour. Undelivered: deliveries that wait,
    and deliveries that failed permanently and were not sent again.</p>`;
}

function lines(...texts: readonly (Html | string | null | undefined)[]): Html {
  return html`<ul>${texts.map((text) => text != null && html`<li>${text}</li>`)}</ul>`;
}

function formatFailure(failure: EndpointFacts['lastFailure'] = null): string {
  return failure === 'no_response' ? 'No response' : String(failure ?? '–');
}

function formatRate(facts: EndpointFacts | undefined): string {
  if (facts === undefined || facts.attempted === 0) return '–';
  return `${Math.floor((100 * facts.succeeded) / facts.attempted)} %`;
}

function formatUndelivered(facts: EndpointFacts | undefined): string {
  if (facts === undefined) return '–';
  return `${formatCount(facts.undelivered)}${formatNewest(facts.countedNewest)}`;
}

function actionsOf({ endpointId, status, waiting }: ShownEndpoint): Html {
  const shown = status === 'active' ? endpointActions : endpointActions.filter(({ name }) => name === 'replay-failed');
  return lines(
    ...shown.map(({ name, label }) =>
      name === 'probe' && waiting === 0
        ? html`<span class="note">${label}: nothing waits</span>`
        : html`<a href="${actionPath(endpointId, name)}">${label}</a>`,
    ),
  );
}

function movesPart({ moves, at }: ConsoleStatus): Html {
  if (moves === undefined) return unread;
  if (moves.length === 0) return html`<p class="good">No account move is unfinished.</p>`;
  return table({
    id: 'moves-caption',
    caption: 'Unfinished moves from and to this cell, the oldest first',
    rows: moves,
    columns: [
      { head: 'Account', cell: ({ accountId }) => html`<code>${accountId}</code>` },
      { head: 'State', cell: ({ state }) => state },
      { head: 'To cell', cell: ({ cell }) => cell },
      { head: 'Begun', cell: ({ begunAt }) => formatTime(begunAt, at) },
      { head: 'State since', cell: ({ stateSince }) => formatTime(stateSince, at) },
      { head: 'Begun by', cell: ({ begunBy }) => begunBy },
    ],
  });
}

function processPart({ processes, at }: ConsoleStatus): Html {
  if (processes === undefined) return unread;
  const workers = processes.filter(({ role, gone }) => role === 'worker' && !gone).length;
  return html`${workers === 0 && html`<p class="bad">No worker is running. Nothing is delivered.</p>`}${table({
    id: 'processes-caption',
    caption: 'A process is "gone" after 20 s without a heartbeat. Database connections: busy, idle, waiting',
    rows: processes,
    columns: [
      { head: 'Process', cell: ({ id }) => html`<code>${id}</code>` },
      { head: 'Role', cell: ({ role }) => role },
      { head: 'State', cell: ({ gone }) => (gone ? html`<span class="bad">Gone</span>` : 'Running') },
      { head: 'Host', cell: ({ host }) => host },
      { head: 'PID', isNumber: true, cell: ({ pid }) => String(pid) },
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

const queueNames: Readonly<Record<string, string>> = { postgres: 'PostgreSQL', redis: 'Redis' };

function queuePart({ queue }: ConsoleStatus, backend: string): Html {
  const name = queueNames[backend] ?? backend;
  if (queue === undefined) {
    return html`<p class="bad">The queue (${name}) is unreachable. Deliveries continue about one second later than usual.</p>`;
  }
  return table({
    id: 'queue-caption',
    caption: `Job queue (${name})`,
    rows: queue,
    columns: [
      { head: 'Job', cell: ({ job }) => html`<code>${job}</code>` },
      { head: 'Waiting', isNumber: true, cell: ({ counts }) => formatCount(counts.waiting) },
      { head: 'Active', isNumber: true, cell: ({ counts }) => formatCount(counts.active) },
      { head: 'Delayed', isNumber: true, cell: ({ counts }) => formatCount(counts.delayed) },
    ],
  });
}
