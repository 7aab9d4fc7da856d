import { isPercentEncoded, isPostgresUrl } from '@finhook/runtime';
import { z } from 'zod';

interface RedisGroup {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

export type QueueTarget =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string }
  | ({ readonly kind: 'redis-cluster' } & RedisGroup)
  /** `nodes` are the sentinels. The login is for the servers that they name; TLS is for both. */
  | ({ readonly kind: 'redis-sentinel'; readonly master: string; readonly sentinelPassword?: string } & RedisGroup);

const forms =
  'redis://, rediss://, redis-cluster://host:port,host:port, redis-sentinel://host:port,host:port/master, ' +
  'rediss-cluster://, rediss-sentinel:// or postgres://';
const defaultPorts = { cluster: 6379, sentinel: 26379 };

/** @throws Error whose message doesn't contain the URL, which may have a password */
export function parseQueueUrl(url: string): QueueTarget {
  const [, scheme = '', rest = ''] = /^([a-z-]+):\/\/(.+)$/.exec(url) ?? [];
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url: checkedPostgres(url) };
    case 'redis':
    case 'rediss':
      return { kind: 'redis', url: checkedRedis(url) };
    case 'redis-cluster':
    case 'rediss-cluster':
      return {
        kind: 'redis-cluster',
        tls: scheme === 'rediss-cluster',
        ...parseGroup(rest.replace(/\/$/, ''), 'cluster'),
      };
    case 'redis-sentinel':
    case 'rediss-sentinel':
      return { kind: 'redis-sentinel', tls: scheme === 'rediss-sentinel', ...parseSentinel(rest) };
    default:
      throw new Error(`The queue URL must start with ${forms}.`);
  }
}

function checked(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null)
    throw new Error(`The queue URL is not valid: it must look like scheme://user:password@host:port/name.`);
  return parsed;
}

const notEncoded =
  'The queue URL is not valid: percent-encode all characters but letters and digits in user and password.';

function checkedPostgres(url: string): string {
  const parsed = checked(url);
  if (!isPercentEncoded(parsed.username + parsed.password)) throw new Error(notEncoded);
  if (!isPostgresUrl(parsed))
    throw new Error('The queue URL must name one host, and its ssl must be true, 1, 0 or no-verify.');
  return url;
}

function checkedRedis(url: string): string {
  const { username, password, pathname, searchParams } = checked(url);
  if (!isPercentEncoded(username + password)) throw new Error(notEncoded);
  if (![pathname.replace(/^\//, ''), ...searchParams.getAll('db')].every((database) => /^\d*$/.test(database)))
    throw new Error('The queue URL must name a database of Redis by its number: redis://host:port/3.');
  return url;
}

function parseSentinel(rest: string) {
  const [, group = '', master = '', query = ''] = /^(.+)\/([\w.-]+)(?:\?(.*))?$/.exec(rest) ?? [];
  if (master === '')
    throw new Error(`The queue URL must end with the name of the master that the sentinels watch: host:port/master.`);
  const sentinelPassword = new URLSearchParams(query).get('sentinel_password');
  return { master, ...parseGroup(group, 'sentinel'), ...(sentinelPassword === null ? {} : { sentinelPassword }) };
}

function parseGroup(group: string, what: keyof typeof defaultPorts) {
  const at = group.lastIndexOf('@');
  const login = at < 0 ? [] : group.slice(0, at).split(':');
  if (!login.every(isPercentEncoded)) throw new Error(notEncoded);
  const [username = '', password = ''] = login.map(decodeURIComponent);
  const nodes = group
    .slice(at + 1)
    .split(',')
    .map((node) => {
      const { hostname, port } = URL.canParse(`redis://${node}`)
        ? new URL(`redis://${node}`)
        : { hostname: '', port: '' };
      if (hostname === '') throw new Error(`The queue URL's ${what} list must read host:port,host:port.`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPorts[what]) };
    });
  return { nodes, ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function isQueueUrl(url: string): boolean {
  try {
    return parseQueueUrl(url).kind !== undefined;
  } catch {
    return false;
  }
}

export const queueEnv = {
  QUEUE_URL: z
    .string()
    .refine(isQueueUrl, 'is not valid')
    .describe(
      'Set it to redis://…, rediss://…, redis-cluster://host:port,host:port, redis-sentinel://host:port/master or ' +
        'postgres://…. In user and password, percent-encode all characters but letters and digits. A database of Redis is ' +
        'a number: redis://host:port/3. A PostgreSQL URL names one host, and its ssl is true, 1, 0 or no-verify.',
    ),
};
