import {
  type Authenticator,
  type Core,
  createAuthenticator,
  createSessionAuthenticator,
  type DenialLog,
  type SessionAuthenticator,
} from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import { createCallerIdentification, createCallerReader, type IdentifyCaller, type ReadCaller } from './caller.ts';
import { createFailedAuthLog, type LogFailedAuth } from './failed-auth-log.ts';
import type { RateLimits } from './rate-limits.ts';
import { createSessionGuard, createSessionReader, type ReadSession, type RequireSession } from './session-caller.ts';

export interface AuthenticationOptions {
  core: Core;
  limits: RateLimits;
  denials: DenialLog;
  logger: Logger;
  /** Cache of keys and sessions. */
  keptMs?: number | undefined;
}

export interface Authentication {
  authenticator: Authenticator;
  sessions: SessionAuthenticator;
  readSession: ReadSession;
  requireSession: RequireSession;
  readCaller: ReadCaller;
  identify: IdentifyCaller;
  logFailedAuth: LogFailedAuth;
  flush(): Promise<void>;
}

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { core, limits, denials, logger, keptMs } = options;
  const lookup = { isThrottled: limits.isThrottled, keptMs };
  const authenticator = createAuthenticator(core, lookup);
  const sessions = createSessionAuthenticator(core, authenticator, lookup);
  const logFailedAuth = createFailedAuthLog({ limits, denials, logger });
  const readSession = createSessionReader({ core, sessions });
  const readCaller = createCallerReader({ core, authenticator, readSession });
  return {
    authenticator,
    sessions,
    readSession,
    requireSession: createSessionGuard(readSession, logFailedAuth),
    readCaller,
    identify: createCallerIdentification(readCaller, { limits, logFailedAuth }),
    logFailedAuth,
    async flush() {
      await Promise.all([authenticator.flush(), sessions.flush()]);
    },
  };
}
