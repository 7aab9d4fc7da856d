import { sentenceCase } from '../../../../components/badge.tsx';
import { type Attempt, connectionOf, outcomeOf } from '../attempt.view.ts';

interface ComparedField {
  name: string;
  left: string;
  right: string;
}

export interface ComparedGroup {
  title: string;
  /** Fields whose values differ. */
  different: readonly ComparedField[];
  /** Number of fields with one value. */
  same: number;
}

const NONE = '–';
const ms = (value: number | null): string => (value === null ? NONE : `${value} ms`);

type Values = ReadonlyMap<string, string>;

function requestOf(attempt: Attempt): Values {
  return new Map([
    ['Trigger', sentenceCase(attempt.trigger)],
    ['URL', attempt.url ?? NONE],
    ['IP address', attempt.remote_address ?? NONE],
    ['Connection', connectionOf(attempt.connection_reused) ?? NONE],
    ...Object.entries(attempt.request_headers ?? {}),
  ]);
}

function timingOf({ timings }: Attempt): Values {
  return new Map([
    ['DNS', ms(timings.dns_ms)],
    ['Connect', ms(timings.connect_ms)],
    ['TLS', ms(timings.tls_ms)],
    ['Waiting for response', ms(timings.first_byte_ms)],
    ['Total', ms(timings.total_ms)],
  ]);
}

function responseOf(attempt: Attempt): Values {
  return new Map([
    ['Outcome', outcomeOf(attempt)],
    ...(attempt.error_message === null ? [] : ([['Error', attempt.error_message]] as const)),
    ...Object.entries(attempt.response_headers ?? {}),
  ]);
}

function compare(title: string, left: Values, right: Values): ComparedGroup {
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const fields = names.map((name) => ({ name, left: left.get(name) ?? NONE, right: right.get(name) ?? NONE }));
  const different = fields.filter((field) => field.left !== field.right);
  return { title, different, same: fields.length - different.length };
}

/** What differs between two attempts of a delivery, whose request body is the same. */
export function compareAttempts(left: Attempt, right: Attempt): ComparedGroup[] {
  return [
    compare('Request', requestOf(left), requestOf(right)),
    compare('Timing', timingOf(left), timingOf(right)),
    compare('Response', responseOf(left), responseOf(right)),
  ];
}

interface Line {
  text: string;
  /** False if the other text has the line too. */
  isOwn: boolean;
}

/** The lines of a text, without regard to their order in the other one. */
export function linesOf(text: string, other: string): Line[] {
  const known = new Set(other.split('\n'));
  return text.split('\n').map((line) => ({ text: line, isOwn: !known.has(line) }));
}
