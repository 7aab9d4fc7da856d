import { instantOf, localOf } from '../../../../lib/zoned-time.ts';
import { deliveryFilterNames } from '../../../../search-names.ts';

export type Search = Readonly<Record<string, string | undefined>>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

const MINUTE_MS = 60_000;

export const ranges = [
  ['hour', 'Last hour', HOUR_MS],
  ['day', 'Last 24 hours', DAY_MS],
  ['week', 'Last 7 days', WEEK_MS],
] as const;

export const CUSTOM = 'custom';

/** The choice that the time parameters of a URL stand for. */
export function rangeOf({ range, from, to }: Search): string | undefined {
  if (from !== undefined || to !== undefined) return CUSTOM;
  return ranges.some(([name]) => name === range) ? range : undefined;
}

/** In ms. `from` is inclusive, `to` exclusive; an open end is undefined. */
export interface Time {
  from: number | undefined;
  to: number | undefined;
}

const msOf = (text: string | undefined): number | undefined => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
};

/** `chosenAt` is when the range was chosen: a start that moves with the clock would load the list anew each minute. */
export function timeOf(search: Search, chosenAt: number): Time {
  const chosen = rangeOf(search);
  if (chosen === CUSTOM) return { from: msOf(search['from']), to: msOf(search['to']) };
  const length = ranges.find(([name]) => name === chosen)?.[2];
  if (length === undefined) return { from: undefined, to: undefined };
  return { from: Math.floor((chosenAt - length) / MINUTE_MS) * MINUTE_MS, to: undefined };
}

const isoOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

/** The parameters of a chosen range; a custom one starts as the last 24 hours. */
export function searchOfRange(range: string | undefined, now: number): Search {
  if (range !== CUSTOM) return { range, from: undefined, to: undefined };
  const to = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  return { range: undefined, from: isoOf(to - DAY_MS), to: isoOf(to) };
}

/** A time of the URL as the value of a field for local time, and back. */
export const fieldTime = (iso: string | undefined, zone: string): string =>
  msOf(iso) === undefined ? '' : localOf(iso ?? '', zone);
export const searchTime = (local: string, zone: string): string | undefined => instantOf(local, zone);

/** The number of filters that are set: a custom time is one. */
export function activeFilters(search: Search): number {
  const set = deliveryFilterNames.filter((name) => search[name] !== undefined);
  return set.length - (search['from'] !== undefined && search['to'] !== undefined ? 1 : 0);
}

interface IdFilter {
  query: Readonly<Record<string, string>>;
  note?: string;
  fault?: string;
}

const notes: Readonly<Record<string, readonly [parameter: string | undefined, note: string]>> = {
  evt: ['event_id', 'Deliveries of this event'],
  rpl: ['replay_id', 'Deliveries of this replay'],
  we: ['endpoint_id', 'Deliveries to this endpoint'],
  dlv: [undefined, 'Opened beside the list'],
};

/** What an id in the box selects. A delivery's id selects nothing: it opens the delivery. */
export function idFilter(text: string | undefined): IdFilter {
  const id = text?.trim() ?? '';
  if (id === '') return { query: {} };
  const [, prefix] = /^([a-z]+)_[\w-]+$/i.exec(id) ?? [];
  if (prefix === undefined) return { query: {}, fault: 'Enter an ID, such as evt_…, dlv_… or txn_….' };
  const known = Object.hasOwn(notes, prefix) ? notes[prefix] : undefined;
  const [parameter, note] = known ?? ['resource_id', 'Deliveries of events about this record'];
  return { query: parameter === undefined ? {} : { [parameter]: id }, note };
}

export const deliveryIn = (text: string | undefined): string | undefined =>
  /^\s*(dlv_[\w-]+)\s*$/.exec(text ?? '')?.[1];

type Query = Readonly<Record<string, string | number | undefined>>;

/** The filters without the time. Throws no error: what a user can mistype is a `fault`. */
export function filtersOf(search: Search): { query: Query; fault?: string } {
  const { query, fault } = idFilter(search['id']);
  const code = search['response_code'];
  if (fault !== undefined) return { query: {}, fault };
  if (code !== undefined && !/^[1-5]\d\d$/.test(code))
    return { query: {}, fault: 'Enter a response code, 100 to 599.' };
  return {
    query: {
      status: search['status'],
      event_type: search['event_type'],
      endpoint_id: search['endpoint_id'],
      company_id: search['event_company'],
      response_code: code === undefined ? undefined : Number(code),
      ...query,
    },
  };
}

export const timeQuery = ({ from, to }: Time): Query => ({ created_from: isoOf(from), created_to: isoOf(to) });
