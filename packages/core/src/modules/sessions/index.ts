/** sessions: sign-ins to the dashboard, which act as the key that they were opened with and end with it. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { listSessions } from './read-sessions.ts';
import { revokeSession } from './revoke-session.ts';

export const sessions = {
  list: listSessions,
  revoke: revokeSession,
} satisfies Handlers<typeof operations.sessions>;
