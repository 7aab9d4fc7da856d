import {
  type Authenticator,
  type Core,
  createAuthenticator,
  createSessionAuthenticator,
  type DenialLog,
  type SessionAuthenticator,
} from '@finhook/core';
import type { Logger } from '@finhook/platform';
import type { RequestWatch } from '../http/watch-requests.ts';
import { createCallerIdentification, createCallerReader, type IdentifyCaller, type ReadCaller } from './caller.ts';
import { createRefusedCallerLog, type NoteRefusedCaller } from './failed-auth-log.ts';
import type { RateLimits } from './rate-limits.ts';
import { createSessionReader, createVisitorReader, type ReadSession, type ReadVisitor } from './session-caller.ts';

export interface CallersOptions {
  core: Core;
  limits: RateLimits;
  denials: DenialLog;
  logger: Logger;
  watch: Pick<RequestWatch, 'traceparentOf'>;
}

/** The ways in which the process finds out who a request comes from. */
export interface Callers {
  authenticator: Authenticator;
  sessions: SessionAuthenticator;
  readSession: ReadSession;
  readVisitor: ReadVisitor;
  readCaller: ReadCaller;
  identify: IdentifyCaller;
  noteRefused: NoteRefusedCaller;
  /** Writes the last uses of keys and sessions that were remembered. */
  flush(): Promise<void>;
}

/** Puts authentication together: keys, and the sessions that stand on them. */
export function createCallers({ core, limits, denials, logger, watch }: CallersOptions): Callers {
  const authenticator = createAuthenticator(core, limits.isThrottled);
  const sessions = createSessionAuthenticator(core, authenticator, limits.isThrottled);
  const noteRefused = createRefusedCallerLog({ limits, denials, logger });
  const readSession = createSessionReader({ core, sessions, watch });
  const readCaller = createCallerReader({ core, authenticator, readSession, watch });
  return {
    authenticator,
    sessions,
    readSession,
    readVisitor: createVisitorReader(readSession, noteRefused),
    readCaller,
    identify: createCallerIdentification(readCaller, { limits, noteRefused }),
    noteRefused,
    async flush() {
      await Promise.all([authenticator.flush(), sessions.flush()]);
    },
  };
}
