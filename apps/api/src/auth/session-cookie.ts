import type { IncomingMessage } from 'node:http';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';

/** The prefix has browsers refuse it unless it is Secure, of the whole host and without a Domain. */
const NAME = '__Host-finhook_session';
const DAYS_30 = 30 * 86_400;

const attributes = { name: NAME, httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;

/** The token of the session's cookie, if the request has one. */
export function readSessionCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[NAME];
}

/** `Set-Cookie` of a new session. The browser keeps it as long as a session can last; the service ends it earlier. */
export function sessionCookie(token: string): string {
  return stringify({ ...attributes, value: token, maxAge: DAYS_30 });
}

/** `Set-Cookie` that has the browser forget it. */
export function clearedSessionCookie(): string {
  return stringify({ ...attributes, value: '', maxAge: 0 });
}

function stringify(cookie: SetCookie): string {
  return stringifySetCookie(cookie);
}
