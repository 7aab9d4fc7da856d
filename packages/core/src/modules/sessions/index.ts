/** sessions: sign-ins to the dashboard, which act as the key that they were opened with and end with it. */
export {
  createSessionAuthenticator,
  type SessionAuthenticator,
  SessionEnded,
  type SessionHolder,
} from './authenticate-session.ts';
export { createSignInLink } from './create-sign-in-link.ts';
export { endSession } from './end-session.ts';
export { type LinkVisit, type OpenedSession, openSession, openSessionByLink } from './open-session.ts';
export { isOperatorSignedOut, signOutOperator } from './operator-sign-outs.ts';
export { purgeSessions } from './purge-sessions.ts';
export { getSessionState, listSessions } from './read-sessions.ts';
export { revokeSession } from './revoke-session.ts';
