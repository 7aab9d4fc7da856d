/** sessions: sign-ins to the dashboard. A session acts as the key that opened it, and ends with it. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { listSessions } from './list.ts';
import { revokeSession } from './revoke.ts';

export const sessions = {
  list: listSessions,
  revoke: revokeSession,
} satisfies Handlers<typeof operations.sessions>;
