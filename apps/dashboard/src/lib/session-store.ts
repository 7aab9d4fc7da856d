import { isProblem, NO_RESPONSE, type Problem } from './problem.ts';

export interface SessionState {
  object: 'session';
  id: string;
  csrf_token: string;
  role: 'owner' | 'member' | 'viewer';
  account: { id: string; name: string; mode: 'live' | 'test' };
  api_key: {
    id: string;
    name: string;
    scope: 'human' | 'read';
    company_ids: string[] | null;
    permissions: string[] | null;
  };
  created_at: string;
  expires_at: string;
}

const SESSION_PATH = '/dashboard/session';

const COOKIE_REJECTED =
  'The key is valid, but this browser rejected the session cookie. Safari blocks secure cookies over plain HTTP: use ' +
  'another browser on this machine, or open the service over HTTPS.';

export interface SessionStore {
  current: () => SessionState | null | undefined;
  subscribe: (onChange: () => void) => () => void;
  ask: () => Promise<SessionState | null>;
  load: () => Promise<SessionState | null>;
  signIn: (apiKey: string) => Promise<void>;
  signOut: (everywhere?: boolean) => Promise<void>;
  lost: () => void;
  hasEnded: () => boolean;
}

class SessionError extends Error {
  readonly problem: Problem | undefined;
  constructor(message: string, problem?: Problem) {
    super(message);
    this.problem = problem;
  }
}

function asSession(value: unknown): SessionState {
  return value as SessionState;
}

export async function errorOf(response: Response): Promise<SessionError> {
  const body: unknown = await response.json().catch(() => undefined);
  return isProblem(body)
    ? new SessionError(body.detail, body)
    : new SessionError(`The service responded with ${response.status}. Try again in a moment.`);
}

/** Wraps `fetch` with a readable network error: browsers reject with a TypeError, the same as for a bug. */
export function withNetworkError(fetchOf: typeof fetch): typeof fetch {
  return (...call) =>
    fetchOf(...call).catch(() => {
      throw new SessionError(NO_RESPONSE);
    });
}

async function readSession(send: typeof fetch): Promise<SessionState | null> {
  const response = await send(SESSION_PATH, { headers: { accept: 'application/json' } });
  if (response.status === 401) return null;
  if (!response.ok) throw await errorOf(response);
  return asSession(await response.json());
}

async function startSession(send: typeof fetch, apiKey: string): Promise<void> {
  const response = await send(SESSION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  if (!response.ok) throw await errorOf(response);
}

async function endSession(send: typeof fetch, everywhere: boolean, token: string): Promise<void> {
  const response = await send(everywhere ? `${SESSION_PATH}?everywhere=true` : SESSION_PATH, {
    method: 'DELETE',
    headers: { 'x-csrf-token': token },
  });
  if (!response.ok && response.status !== 401) throw await errorOf(response);
}

/**
 * `onOtherSession` is called when the browser's session differs from the one that loaded the page: it may belong to
 * another account, whose companies are others.
 */
export function createSessionStore(
  onOtherSession: (isOtherAccount: boolean) => void,
  fetchOf: typeof fetch = (...call) => fetch(...call),
): SessionStore {
  const send = withNetworkError(fetchOf);
  let state: SessionState | null | undefined;
  let loading: Promise<SessionState | null> | undefined;
  let isLeaving = false;
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const setState = (next: SessionState | null): void => {
    state = next;
    for (const notify of listeners) notify();
  };
  const lost = (): void => {
    if (state && !isLeaving) hasEnded = true;
    setState(null);
  };

  async function ask(): Promise<SessionState | null> {
    const now = await readSession(send);
    if (now === null) lost();
    else if (state && state.id !== now.id) onOtherSession(state.account.id !== now.account.id);
    else setState(now);
    return state ?? null;
  }

  async function load(): Promise<SessionState | null> {
    if (state !== undefined) return state;
    loading ??= ask().finally(() => void (loading = undefined));
    return loading;
  }

  return {
    current: () => state,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    ask,
    load,
    async signIn(apiKey) {
      await startSession(send, apiKey);
      // A load that began before the sign-in finds no session.
      await loading?.catch(() => undefined);
      state = undefined;
      hasEnded = false;
      if ((await load()) === null) throw new SessionError(COOKIE_REJECTED);
    },
    async signOut(everywhere = false) {
      isLeaving = true;
      await endSession(send, everywhere, state?.csrf_token ?? '').finally(() => {
        isLeaving = false;
      });
      setState(null);
    },
    lost,
    hasEnded: () => hasEnded,
  };
}
