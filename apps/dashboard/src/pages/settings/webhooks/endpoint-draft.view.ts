import type { Inputs, Outputs } from '../../../lib/trpc.ts';
import { dirtyFields } from '../../../operation/field-values.ts';
import { parseWaits, writeWaits } from './duration.view.ts';
import { draftFilter, type FilterDraft, readFilter } from './payload-filter.view.ts';

type Endpoint = Outputs['webhookEndpoints']['get'];
export type EndpointInput = Omit<Inputs['webhookEndpoints']['create'], 'include_internal'> & {
  include_internal: boolean;
};

export const payloadNames = {
  full: 'Full: the whole record',
  thin: 'Thin: IDs, status and counts',
} as const satisfies Record<Endpoint['payload'], string>;

export interface Pair {
  key: string;
  name: string;
  value: string;
}

export interface EndpointDraft {
  url: string;
  description: string;
  /** Empty selects events of every company. */
  companyId: string;
  allEvents: boolean;
  events: readonly string[];
  operational: boolean;
  includeInternal: boolean;
  headers: readonly Pair[];
  timeoutSeconds: string;
  retry: 'default' | 'none' | 'custom';
  waits: string;
  payload: 'full' | 'thin';
  filter: FilterDraft;
  rateRequests: string;
  ratePerSeconds: string;
  maxConcurrency: string;
  ordered: boolean;
  asymmetric: boolean;
  metadata: readonly Pair[];
}

export function newPair(name = '', value = ''): Pair {
  return { key: crypto.randomUUID(), name, value };
}

function pairsOf(record: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(record).map(([name, value]) => newPair(name, value));
}

const empty: EndpointDraft = {
  url: '',
  description: '',
  companyId: '',
  allEvents: true,
  events: [],
  operational: false,
  includeInternal: false,
  headers: [],
  timeoutSeconds: '',
  retry: 'default',
  waits: '5s, 5m, 30m, 2h',
  payload: 'full',
  filter: draftFilter(null),
  rateRequests: '',
  ratePerSeconds: '1',
  maxConcurrency: '',
  ordered: false,
  asymmetric: false,
  metadata: [],
};

const numberText = (value: number | null | undefined): string => (value == null ? '' : String(value));

export function draftOf(endpoint?: Endpoint): EndpointDraft {
  if (!endpoint) return empty;
  const schedule = endpoint.retry_schedule;
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    companyId: endpoint.company_id ?? '',
    allEvents: endpoint.events.length === 0,
    events: endpoint.events,
    operational: endpoint.operational,
    includeInternal: endpoint.include_internal,
    headers: pairsOf(endpoint.headers),
    timeoutSeconds: endpoint.timeout_ms === null ? '' : String(endpoint.timeout_ms / 1000),
    retry: schedule === null ? 'default' : schedule.length === 0 ? 'none' : 'custom',
    waits: schedule === null || schedule.length === 0 ? empty.waits : writeWaits(schedule),
    payload: endpoint.payload,
    filter: draftFilter(endpoint.filter),
    rateRequests: numberText(endpoint.rate_limit?.requests),
    ratePerSeconds: endpoint.rate_limit === null ? '1' : numberText(endpoint.rate_limit.per_seconds),
    maxConcurrency: numberText(endpoint.max_concurrency),
    ordered: endpoint.ordered,
    asymmetric: endpoint.signature_versions.includes('v1a'),
    metadata: pairsOf(endpoint.metadata),
  };
}

export type DraftErrors = Partial<Record<keyof EndpointInput, string>>;
export type ReadDraft = { input: EndpointInput } | { errors: DraftErrors };

/** Parses a whole number; null if empty, undefined if invalid. */
function whole(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function milliseconds(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  return /^\d{1,3}(\.\d{1,3})?$/.test(text.trim()) ? Math.round(Number(text) * 1000) : undefined;
}

function readPairs(pairs: readonly Pair[], fold: (name: string) => string): Record<string, string> | string {
  const filled = pairs.filter(({ name, value }) => name.trim() !== '' || value !== '');
  const names = filled.map(({ name }) => fold(name.trim()));
  if (names.includes('')) return 'Enter a name for each value.';
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `${twice} is entered twice.`;
  return Object.fromEntries(filled.map(({ value }, i) => [names[i] ?? '', value]));
}

function readRetry({ retry, waits }: EndpointDraft): number[] | null | undefined {
  if (retry === 'default') return null;
  return retry === 'none' ? [] : parseWaits(waits);
}

function readRate(draft: EndpointDraft): EndpointInput['rate_limit'] | undefined {
  const requests = whole(draft.rateRequests);
  const per = whole(draft.ratePerSeconds);
  if (requests === null) return null;
  return requests === undefined || per == null ? undefined : { requests, per_seconds: per };
}

export function readDraft(draft: EndpointDraft): ReadDraft {
  const timeout = milliseconds(draft.timeoutSeconds);
  const concurrency = whole(draft.maxConcurrency);
  const schedule = readRetry(draft);
  const rate = readRate(draft);
  const headers = readPairs(draft.headers, (name) => name.toLowerCase());
  const metadata = readPairs(draft.metadata, (name) => name);
  const filter = readFilter(draft.filter);
  const errors: DraftErrors = {
    ...(draft.url.trim() === '' && { url: 'Enter a URL.' }),
    ...(!draft.allEvents && draft.events.length === 0 && { events: 'Select at least one event type.' }),
    ...(timeout === undefined && { timeout_ms: 'Enter seconds, such as 15 or 2.5.' }),
    ...(concurrency === undefined && { max_concurrency: 'Enter a whole number.' }),
    ...(schedule === undefined && { retry_schedule: 'Enter delays such as 5s, 5m, 2h.' }),
    ...(rate === undefined && { rate_limit: 'Enter two whole numbers.' }),
    ...(typeof headers === 'string' && { headers }),
    ...(typeof metadata === 'string' && { metadata }),
    ...('fault' in filter && { filter: filter.fault }),
  };
  const bad = typeof headers === 'string' || typeof metadata === 'string' || 'fault' in filter;
  if (bad || Object.keys(errors).length > 0) return { errors };
  const { description, companyId } = draft;
  return {
    input: {
      url: draft.url.trim(),
      events: draft.allEvents ? [] : [...draft.events],
      description: description.trim() === '' ? null : description.trim(),
      company_id: companyId === '' ? null : companyId,
      operational: draft.operational,
      include_internal: draft.includeInternal,
      headers,
      timeout_ms: timeout ?? null,
      retry_schedule: schedule ?? null,
      payload: draft.payload,
      filter: filter.filter,
      rate_limit: rate ?? null,
      max_concurrency: concurrency ?? null,
      ordered: draft.ordered,
      signature_versions: draft.asymmetric ? ['v1', 'v1a'] : ['v1'],
      metadata,
    },
  };
}

/** The fields of `after` that differ from the endpoint; an update sends only these. */
export function changesOf(endpoint: Endpoint, after: EndpointInput): Partial<EndpointInput> {
  const before = readDraft(draftOf(endpoint));
  return 'errors' in before ? after : dirtyFields(before.input, after);
}
