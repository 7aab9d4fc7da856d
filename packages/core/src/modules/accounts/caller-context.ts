import type { Context, Core } from '../../kernel/context.ts';
import type { Principal } from './known-key.ts';

interface Origin {
  request: Context['request'];
  /** The trace that what it stores goes on with (W3C Trace Context). */
  traceparent?: string | undefined;
  /** The session by which the request came, if it was one. */
  sessionId?: string | undefined;
}

/** What a verb knows of a request of this key; it sees rows of the key's account only. */
export function callerContext(core: Core, principal: Principal, { request, traceparent, sessionId }: Origin): Context {
  return {
    ...core,
    database: core.database.forAccount(principal.accountId, traceparent),
    ...principal,
    sessionId,
    request,
  };
}
