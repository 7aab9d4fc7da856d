import { z } from 'zod';
import { normalizeCurrency } from './currency.ts';
import type { FieldErrorCode } from './field-error.ts';

/** ISO 3166-1 alpha-2 codes, without the user-assigned ones. */
const codes = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

export function isCountry(code: string): boolean {
  return codes.has(code);
}

export function coded(code: FieldErrorCode, error: string) {
  return { error, params: { code } };
}

// PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form.
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Text of `min` to `max` UTF-16 units; nothing is trimmed. */
export function text(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine(isStorable, coded('invalid_format', 'must not contain NUL or unpaired surrogates'));
}

export const connectionId = text(1, 255);
export const source = text(1, 100);

const secretInputs = z.registry<{ secret: true }>();

/** Marks a credential: errors don't repeat its value. */
export function secret<T extends z.ZodType>(schema: T): T {
  secretInputs.add(schema, { secret: true });
  return schema;
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return secretInputs.get(schema) !== undefined;
}

/** Absent and `null` mean the same. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

export function objectType<const N extends string>(name: N) {
  return z.literal(name).describe(`Type of the object: always \`${name}\`.`);
}

/** A calendar date `YYYY-MM-DD` that exists, years 0001 to 9999. */
export const localDate = z.iso
  .date({ error: 'must be a calendar date like 2026-03-31' })
  .refine((value) => !value.startsWith('0000'), coded('invalid_date', 'must be in years 0001 to 9999'));

export const monthInput = z
  .string()
  .refine((value) => /^\d{4}-(0[1-9]|1[0-2])$/.test(value), coded('invalid_date', 'must be a month like 2026-03'))
  .meta({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-03'] });

const rfc3339Pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const iso8601Pattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:Z|([+-]\d{2}):?(\d{2}))$/i;
const naivePattern = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/i;

/** Adds what RFC 3339 requires of ISO 8601: capital letters, seconds, a colon in the offset. */
function toRfc3339(value: string): string | undefined {
  if (rfc3339Pattern.test(value)) return value;
  const match = iso8601Pattern.exec(value);
  if (match === null) return undefined;
  const [, day, time, seconds = ':00', hours, minutes] = match;
  return `${day}T${time}${seconds}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
}

function isCalendarDay(day: string): boolean {
  return z.regexes.date.test(day) && !day.startsWith('0000');
}

function parseRfc3339(value: string): number | undefined {
  if (!isCalendarDay(value.slice(0, 10))) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) || value.slice(17, 19) === '60' || value.slice(11, 13) === '24' ? undefined : ms;
}

/** Milliseconds since the epoch; undefined for an invalid instant or a leap second. */
export function parseInstant(value: string): number | undefined {
  const rfc3339 = toRfc3339(value);
  return rfc3339 === undefined ? undefined : parseRfc3339(rfc3339);
}

/** An ISO 8601 timestamp, parsed to its RFC 3339 spelling. It needs an offset: a local time could be on another day. */
export const instant = z
  .string()
  .superRefine((value, context) => {
    const rfc3339 = toRfc3339(value);
    if (rfc3339 !== undefined && parseRfc3339(rfc3339) !== undefined) {
      context.value = rfc3339;
      return;
    }
    const naive = naivePattern.test(value) && isCalendarDay(value.slice(0, 10));
    context.addIssue({
      code: 'custom',
      message: naive
        ? 'must have a time zone, like 2026-03-01T09:30:00Z'
        : 'must be a timestamp of a day that exists, like 2026-03-01T09:30:00Z',
      params: { code: naive ? 'timezone_required' : 'invalid_date' },
    });
  })
  .meta({ format: 'date-time' });

/** A timestamp as the service writes it: RFC 3339, UTC, milliseconds, `Z`. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] });

export const createdAt = timestamp.describe('When the record was created (UTC).');

export const date = z.string().meta({ format: 'date', examples: ['2026-03-31'] });

/** Minor units, |n| ≤ 2^53−1. */
export const amount = z.int();

export const currencyInput = z
  .string()
  .refine(
    (value) => normalizeCurrency(value) !== undefined,
    coded('currency_unknown', 'must be the ISO 4217 code of a currency, like USD'),
  )
  .meta({
    description: 'ISO 4217 currency code, in upper or lower case.',
    pattern: '^[A-Za-z]{3}$',
    examples: ['USD'],
  });

export const currency = z
  .string()
  .meta({ description: 'ISO 4217 currency code.', pattern: '^[A-Z]{3}$', examples: ['USD'] });

export const countryInput = z
  .string()
  .refine(isCountry, coded('country_unknown', 'must be an ISO 3166-1 alpha-2 code like US'))
  .meta({ pattern: '^[A-Z]{2}$', examples: ['US'] });

/** An ISO 3166 code with the format `pattern`, which begins with its country. */
export function jurisdictionInput(pattern: RegExp, error: string) {
  return z
    .string()
    .regex(pattern, { error, abort: true })
    .refine((value) => isCountry(value.slice(0, 2)), coded('country_unknown', 'must begin with an ISO 3166-1 code'));
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    return /^(?:[A-Za-z]\w*\/|(?:UTC|GMT)$)/i.test(value);
  } catch {
    return false;
  }
}

/** Names with a slash, or UTC. PostgreSQL reads others as abbreviations, such as `CET` without summer time. */
export const timeZone = text(1, 64).refine(
  isTimeZone,
  coded(
    'invalid_timezone',
    'must be an IANA time zone with its place, like America/New_York or Europe/Brussels, or UTC',
  ),
);

const keyLimits = z.registry<{ max: number }>();

/** At most `max` keys of the sender's choice. `keyLimit` returns the maximum before the keys are parsed. */
export function openRecord<V extends z.ZodType>(key: z.ZodString, value: V, max: number, what = 'keys') {
  const fault = coded('too_many', `must have at most ${max} ${what}`);
  const record = z.record(key, value).refine((entries) => Object.keys(entries).length <= max, fault);
  keyLimits.add(record, { max });
  return record;
}

const caselessKeys = z.registry<{ caseless: true }>();

/** Marks a record whose keys are the same in upper and lower case, such as the names of headers. */
export function withCaselessKeys<T extends z.ZodType>(schema: T): T {
  caselessKeys.add(schema, { caseless: true });
  return schema;
}

export function hasCaselessKeys(schema: z.core.$ZodType): boolean {
  return caselessKeys.get(schema) !== undefined;
}

export function keyLimit(schema: z.core.$ZodType): number | undefined {
  return keyLimits.get(schema)?.max;
}

export const metadata = openRecord(text(1, 40), text(0, 500), 50).describe(
  'Up to 50 strings of your own, by key. Stored and returned as they are, never interpreted; replaced as a whole.',
);
export const storedMetadata = z.record(z.string(), z.string()).describe(metadata.description ?? '');

/** Malformed ids are 404, as unknown ones. */
export const idParameter = text(0, 255);

/** For operations that send at once: unknown fields are errors, because ignoring one would send something else. */
export function exactInput<P extends z.ZodRawShape, B extends z.ZodRawShape>(path: P, body: B) {
  const takes = `is not a field of this request, which takes ${Object.keys(body).join(', ')}; nothing was sent`;
  return z.strictObject(
    { ...path, ...body },
    { error: ({ code }) => (code === 'unrecognized_keys' ? takes : undefined) },
  );
}

/** Unknown fields are errors, because ignoring one would change other records. */
export function strictInput<S extends z.ZodRawShape>(shape: S, what: string) {
  const takes = `is no ${what}, which are ${Object.keys(shape).join(', ')}; nothing was changed`;
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? takes : undefined) });
}

/** What a record is called, by the prefix of its id. */
export const idNouns = {
  aap: 'agent approval',
  acct: 'account',
  act: 'agent action',
  agent: 'agent',
  apr: 'wire approval',
  aud: 'audit log entry',
  bal: 'cash balance',
  bind: 'agent binding',
  case: 'case',
  cmt: 'comment',
  co: 'company',
  conn: 'bank connection',
  dir: 'directive',
  dlv: 'delivery',
  evt: 'event',
  fil: 'filing',
  fin: 'statement snapshot',
  flag: 'flag',
  ing: 'ingestion request',
  key: 'API key',
  req: 'request',
  rpl: 'replay',
  rts: 'runtime snapshot',
  ses: 'session',
  syn: 'sync run',
  txn: 'bank transaction',
  we: 'webhook endpoint',
} as const satisfies Record<string, string>;
export type IdPrefix = keyof typeof idNouns;

export function describeId(prefix: IdPrefix): string {
  return `ID of the ${idNouns[prefix]} (\`${prefix}_…\`).`;
}

export function sampleId(prefix: IdPrefix, suffix = '01kgw3q2m8v7d5n0r4t6x9zabc'): string {
  return `${prefix}_${suffix}`;
}

/** Prefix, underscore, 26 characters of lower-case base32; sortable by time. */
export function id(prefix: IdPrefix, suffix?: string) {
  return z.string().meta({
    description: describeId(prefix),
    pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
    examples: [sampleId(prefix, suffix)],
  });
}

export function identity<const N extends string>(prefix: IdPrefix, name: N) {
  return { id: id(prefix), object: objectType(name), account_id: id('acct') };
}

export const timestamps = {
  created_at: createdAt,
  updated_at: timestamp.describe('When the record last changed (UTC).'),
};

type ExactCents<N extends string> = Record<`${N}_cents`, z.ZodNullable<z.ZodInt>> &
  Record<`${N}_string`, z.ZodOptional<z.ZodString>>;

/** A sum in minor units: `<name>_cents`, null beyond 2^53−1, and then its digits as `<name>_string`. */
export function exactCents<const N extends string>(name: N, meaning: string): ExactCents<N> {
  return centsFields<N>({
    [`${name}_cents`]: z
      .int()
      .nullable()
      .describe(`${meaning} In minor currency units; null if unknown or beyond 2^53−1 (see \`${name}_string\`).`),
    [`${name}_string`]: z.string().optional().describe(`Digits of \`${name}_cents\`, present only beyond 2^53−1.`),
  });
}

// The keys follow the type's template.
function centsFields<N extends string>(shape: Record<string, z.ZodType>): ExactCents<N> {
  return shape as ExactCents<N>;
}

type Fields = Record<string, z.ZodType>;

/** Fields without a description take that of the record's field of the same name. */
export function withDescriptionsOf<S extends Fields>(record: { shape: Fields }, fields: S): S {
  const described: Fields = {};
  for (const [name, field] of Object.entries(fields)) {
    const inherited = field.description === undefined ? record.shape[name]?.description : undefined;
    if (inherited !== undefined) described[name] = field.describe(inherited);
  }
  return { ...fields, ...described };
}
