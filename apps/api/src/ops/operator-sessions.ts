import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@finhook/core';
import { parseCookie, stringifySetCookie } from 'cookie';

export interface OperatorSessionOptions {
  /** The operators' password. */
  readonly password: string;
  /** The service's keys, with commas; the first one signs. */
  readonly secretsKey: string;
  readonly clock: Clock;
}

/** Sessions of operators, kept in their cookies alone: they end by time, or with the password or the key. */
export interface OperatorSessions {
  /** Compares in a time that tells nothing of the password. */
  accepts(password: string): boolean;
  /** The `Set-Cookie` of a new session. */
  begin(): string;
  /** The `Set-Cookie` that ends it in its browser. */
  end(): string;
  /** Whether the request's `Cookie` header holds a session that goes on. */
  isOpen(header: string | undefined): boolean;
}

const cookieName = '__Host-finhook_ops';
const lifetimeSeconds = 12 * 60 * 60;

export function createOperatorSessions({ password, secretsKey, clock }: OperatorSessionOptions): OperatorSessions {
  const [first = ''] = secretsKey.split(',');
  const key = Buffer.from(hkdfSync('sha256', password, Buffer.from(first.trim(), 'base64'), 'finhook ops session', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({
      name: cookieName,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'strict',
    });
  return {
    accepts: (tried) => areEqual(tried, password),
    begin: () => {
      const until = clock.now().getTime() + lifetimeSeconds * 1000;
      const text = `${until}.${randomBytes(16).toString('base64url')}`;
      return setCookie(`${text}.${sign(text)}`, lifetimeSeconds);
    },
    end: () => setCookie('', 0),
    isOpen: (header) => {
      const token = parseCookie(header ?? '')[cookieName] ?? '';
      const [until = '', nonce = '', mac = '', ...rest] = token.split('.');
      if (rest.length > 0 || !areEqual(mac, sign(`${until}.${nonce}`))) return false;
      return Number(until) > clock.now().getTime();
    },
  };
}

function areEqual(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
