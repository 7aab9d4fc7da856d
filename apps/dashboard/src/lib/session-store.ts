import { isProblem, NO_RESPONSE, type Problem } from './problem.ts';

/** The response of `/dashboard/session`. */
export interface SessionState {
  object: 'session';
  id: string;
  /** Sent in the header `x-csrf-token` of every request except plain reads. */
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

const ADDRESS = '/dashboard/session';

const NOT_KEPT =
  'The key is valid, but this browser rejected the session cookie. Safari blocks secure cookies over plain HTTP: use ' +
  'another browser on this machine, or open the service over HTTPS.';

/** The session of this browser. The cookie is HTTP-only; this is its readable part. */
export interface SessionStore {
  /** Undefined before the first load; null if nobody is signed in. */
  current: () => SessionState | null | undefined;
  subscribe: (onChange: () => void) => () => void;
  ask: () => Promise<SessionState | null>;
  load: () => Promise<SessionState | null>;
  /** Exchanges a key for a session. Rejects with an error that explains why. */
  signIn: (apiKey: string) => Promise<void>;
  /** Ends this session, or every session of its key. */
  signOut: (everywhere?: boolean) => Promise<void>;
  /** Called when the server no longer accepts the session. */
  lost: () => void;
  /** True if the last session expired or was ended elsewhere, and not by this page's sign-out. */
  hasEnded: () => boolean;
}

class SessionRefused extends Error {
  readonly problem: Problem | undefined;
  constructor(message: string, problem?: Problem) {
    super(message);
    this.problem = problem;
  }
}

function asSession(value: unknown): SessionState {
  return value as SessionState;
}

async function refusalOf(response: Response): Promise<SessionRefused> {
  const body: unknown = await response.json().catch(() => undefined);
  return isProblem(body)
    ? new SessionRefused(body.detail, body)
    : new SessionRefused(`The service responded with ${response.status}. Try again in a moment.`);
}

/** Wraps `fetch` with a readable network error: browsers reject with a TypeError, the same as for a bug. */
function answered(fetchOf: typeof fetch): typeof fetch {
  return (...call) =>
    fetchOf(...call).catch(() => {
      throw new SessionRefused(NO_RESPONSE);
    });
}

async function readSession(send: typeof fetch): Promise<SessionState | null> {
  const response = await send(ADDRESS, { headers: { accept: 'application/json' } });
  if (response.status === 401) return null;
  if (!response.ok) throw await refusalOf(response);
  return asSession(await response.json());
}

async function startSession(send: typeof fetch, apiKey: string): Promise<void> {
  const response = await send(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  if (!response.ok) throw await refusalOf(response);
}

async function endSession(send: typeof fetch, everywhere: boolean, token: string): Promise<void> {
  const response = await send(everywhere ? `${ADDRESS}?everywhere=true` : ADDRESS, {
    method: 'DELETE',
    headers: { 'x-csrf-token': token },
  });
  if (!response.ok && response.status !== 401) throw await refusalOf(response);
}

/**
 * Creates the page's session store. `beginAnew` is called when the browser's session differs from the one that loaded
 * the page, because it may belong to another account. `fetchOf` is the browser's `fetch`.
 */
export function createSessionStore(
  beginAnew: () => void,
  fetchOf: typeof fetch = (...call) => fetch(...call),
): SessionStore {
  const send = answered(fetchOf);
  let state: SessionState | null | undefined;
  let asking: Promise<SessionState | null> | undefined;
  let isLeaving = false;
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const put = (next: SessionState | null): void => {
    state = next;
    for (const tell of listeners) tell();
  };
  const lost = (): void => {
    if (state && !isLeaving) hasEnded = true;
    put(null);
  };

  async function ask(): Promise<SessionState | null> {
    const now = await readSession(send);
    if (now === null) lost();
    else if (state && state.id !== now.id) beginAnew();
    else put(now);
    return state ?? null;
  }

  async function load(): Promise<SessionState | null> {
    if (state !== undefined) return state;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
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
      state = undefined;
      hasEnded = false;
      if ((await load()) === null) throw new SessionRefused(NOT_KEPT);
    },
    async signOut(everywhere = false) {
      isLeaving = true;
      await endSession(send, everywhere, state?.csrf_token ?? '').finally(() => {
        isLeaving = false;
      });
      put(null);
    },
    lost,
    hasEnded: () => hasEnded,
  };
}
