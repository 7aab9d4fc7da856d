import { z } from 'zod';
import { logLevels } from './logger.ts';

export function wholeNumber(limits: { readonly min: number; readonly max: number; readonly fallback: number }) {
  return numberWithin(limits.min, limits.max).default(limits.fallback);
}

function numberWithin(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);
}

function positiveNumber({ max, fallback }: { readonly max: number; readonly fallback: number }) {
  const rule = `must be a number above 0, at most ${max}`;
  return z
    .string()
    .regex(/^\d*\.?\d+$/, rule)
    .transform(Number)
    .refine((value) => value > 0 && value <= max, rule)
    .default(fallback);
}

/** Multiplies the waits between attempts. Above 20, the longest wait (28.8 h) exceeds the range of the database. */
export const retryScale = () => positiveNumber({ max: 20, fallback: 1 });

export function flag(fallback: boolean) {
  return z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((value) => value === 'true' || value === '1')
    .default(fallback);
}

export function logLevel(fallback: (typeof logLevels)[number]) {
  return z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default(fallback);
}

function areKeys(keys: string): boolean {
  return keys.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === 32);
}

/** Comma-separated CIDR ranges or addresses. */
export function cidrList() {
  return z
    .string()
    .transform((text) => text.split(',').map((range) => range.trim()))
    .refine((ranges) => ranges.every(isCidr), 'must be ranges like 10.0.0.0/8 or fd00::/8, with commas')
    .default([]);
}

const range = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

function isCidr(text: string): boolean {
  // ipaddr.js, which Fastify uses, reads the IPv4-compatible `::10.0.0.0` as the IPv4-mapped `::ffff:10.0.0.0`.
  return range.safeParse(text).success && !/^::\d+\./.test(text);
}

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.pathname === '/' && url.search === '' && url.hash === '' && isPercentEncoded(url.username + url.password);
}

/** Parameters that the driver supports. It ignores others, and `options` would replace ours. */
const databaseParameters: ReadonlySet<string> = new Set([
  'host',
  'port',
  'application_name',
  'ssl',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslnegotiation',
  'uselibpqcompat',
]);

/** Also false when an unencoded character of the password truncates the URL. */
function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^\/[^/@]+$/.test(url.pathname) || url.hash !== '') return false;
  return isPostgresUrl(url) && [...url.searchParams.keys()].every((name) => databaseParameters.has(name));
}

export const sharedEnv = {
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, 'is not valid')
    .describe(
      'Set it to the PostgreSQL of the service, e.g. postgres://user:password@host:5432/finhook. In user and password, ' +
        'percent-encode all characters but letters and digits: / is %2F, # is %23, @ is %40, % is %25. Behind a ? it may have ' +
        `${[...databaseParameters].join(', ')}. ` +
        'ssl is true, 1, 0 or no-verify; prefer sslmode=verify-full. It names one host: for failover, use a proxy, a ' +
        'virtual address or a DNS name that follows the primary.',
    ),
  SECRETS_KEY: z
    .string()
    .refine(areKeys, 'is not valid')
    .describe('The same for api and worker: 32 bytes in base64 (openssl rand -base64 32), or several with commas.'),
  WEBHOOK_ALLOWED_CIDRS: cidrList().describe('Private ranges that webhooks may reach, e.g. 10.20.0.0/16,fd12::/16.'),
  WEBHOOK_PROXY_URL: z
    .string()
    .refine(isProxyUrl, 'is not valid')
    .optional()
    .describe('The proxy that outgoing requests go through: http://user:password@host:port.'),
  CELL: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}$/, 'must be at most 12 lower-case letters and digits, a letter first')
    .optional()
    .describe('The name of this cell, where several installations share one address (docs/scale.md).'),
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1_000, fallback: 16 }).describe(
    'Connections to PostgreSQL of one process.',
  ),
};

export const replicaEnv = {
  DATABASE_REPLICA_URL: z
    .string()
    .refine(isDatabaseUrl, 'is not valid')
    .optional()
    .describe(
      'A standby of the PostgreSQL of DATABASE_URL, with the same user: lists, exports and figures are read from it.',
    ),
};

/** 0 keeps rows forever. At least 31 days, because sums follow an event for up to thirty (ADR 13). */
export const retentionEnv = {
  RETENTION_DAYS: wholeNumber({ min: 0, max: 36_500, fallback: 90 })
    .refine((days) => days === 0 || days >= 31, 'must be 0 or at least 31')
    .describe('Days that events, deliveries and attempts are kept.'),
  AUDIT_RETENTION_DAYS: wholeNumber({ min: 0, max: 36_500, fallback: 2_557 }).describe(
    'Days that the audit log is kept.',
  ),
  REQUEST_RETENTION_DAYS: wholeNumber({ min: 0, max: 36_500, fallback: 30 }).describe(
    'Days that the log of API requests is kept.',
  ),
};

export function retentionOf(env: {
  RETENTION_DAYS: number;
  AUDIT_RETENTION_DAYS: number;
  REQUEST_RETENTION_DAYS: number;
}) {
  const { RETENTION_DAYS: eventDays, AUDIT_RETENTION_DAYS: auditDays, REQUEST_RETENTION_DAYS: requestDays } = env;
  return { eventDays, auditDays, requestDays };
}

export const observabilityEnv = {
  /** 0 takes any free port. */
  METRICS_PORT: numberWithin(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .describe("Set it to the collector's OTLP/HTTP address, e.g. http://127.0.0.1:4318.")
    .optional(),
  TRACE_SAMPLE_RATIO: z
    .string()
    .regex(/^(0(\.\d+)?|\.\d+|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
};

/** The operators' console at `/ops`; disabled without a password. */
export const opsEnv = {
  OPS_PASSWORD: z
    .string()
    .min(16)
    .optional()
    .describe('At least 16 characters, for example from openssl rand -base64 24.'),
};

type ObservabilityEnv = z.output<z.ZodObject<typeof observabilityEnv>>;

export function observabilityOf(env: ObservabilityEnv & { CELL?: string | undefined }) {
  return {
    cell: env.CELL,
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: env.TRACE_SAMPLE_RATIO,
  };
}

/** With other values of `ssl` the driver's connections fail with a TypeError. */
const sslValues: ReadonlySet<string> = new Set(['true', '1', '0', 'no-verify']);

/** True if the PostgreSQL driver can parse the URL. It supports one host, not a list. */
export function isPostgresUrl(url: URL): boolean {
  const { protocol, username, password, pathname, hostname, searchParams } = url;
  if (!/^postgres(ql)?:$/.test(protocol) || !isPercentEncoded(username + password + pathname)) return false;
  if (![hostname, ...searchParams.getAll('host')].every((host) => isPercentEncoded(host) && !/,|%2c/i.test(host)))
    return false;
  return searchParams.getAll('ssl').every((value) => sslValues.has(value));
}

export function databaseAddress(databaseUrl: string): string {
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}${pathname}`;
}

/** False for an invalid `%` escape, on which drivers fail with an error that doesn't name the URL. */
export function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
