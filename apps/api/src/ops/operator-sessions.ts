import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@finhook/core';
import { parseCookie, stringifySetCookie } from 'cookie';
import { sessionCookieName } from './page.ts';

export interface OperatorSessionOptions {
  readonly password: string;
  /** Comma-separated keys; the first one signs. */
  readonly secretsKey: string;
  readonly clock: Clock;
  readonly signOuts: OperatorSignOuts;
}

export interface OperatorSignOuts {
  add(session: { id: string; expiresAt: Date }): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}

/** Signed cookies that end by expiry, sign-out, or a change of password or key. */
export interface OperatorSessions {
  /** Compares in constant time. */
  accepts(password: string): boolean;
  begin(): string;
  clear(): string;
  end(header: string | undefined): Promise<void>;
  isOpen(header: string | undefined): Promise<boolean>;
}

const lifetimeSeconds = 12 * 60 * 60;

export function createOperatorSessions({
  password,
  secretsKey,
  clock,
  signOuts,
}: OperatorSessionOptions): OperatorSessions {
  const [first = ''] = secretsKey.split(',');
  const key = Buffer.from(hkdfSync('sha256', password, Buffer.from(first.trim(), 'base64'), 'finhook ops session', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({
      name: sessionCookieName,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'strict',
    });
  const read = (header: string | undefined): { id: string; expiresAt: Date } | undefined => {
    const token = parseCookie(header ?? '')[sessionCookieName] ?? '';
    const [until = '', nonce = '', mac = '', ...rest] = token.split('.');
    if (rest.length > 0 || !areEqual(mac, sign(`${until}.${nonce}`))) return undefined;
    return Number(until) > clock.now().getTime() ? { id: nonce, expiresAt: new Date(Number(until)) } : undefined;
  };
  return {
    accepts: (tried) => areEqual(tried, password),
    begin: () => {
      const until = clock.now().getTime() + lifetimeSeconds * 1000;
      const text = `${until}.${randomBytes(16).toString('base64url')}`;
      return setCookie(`${text}.${sign(text)}`, lifetimeSeconds);
    },
    clear: () => setCookie('', 0),
    end: async (header) => {
      const session = read(header);
      if (session) await signOuts.add(session);
    },
    isOpen: async (header) => {
      const session = read(header);
      return session !== undefined && !(await signOuts.has(session.id));
    },
  };
}

function areEqual(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
