import { z } from 'zod';
import { createdAt, id, identity, objectType, timestamp } from '../scalars.ts';
import { apiKey, scope } from './api-key.ts';

export const me = z
  .object({
    object: objectType('me'),
    account: z
      .object({
        id: id('acct'),
        object: objectType('account'),
        name: z.string().describe('Display name of the account.'),
        mode: z
          .enum(['live', 'test'])
          .describe('`live` for real data, `test` for a test account. Keys of the two have different prefixes.'),
        created_at: createdAt,
      })
      .describe('The account that the credential belongs to.'),
    api_key: z
      .object({
        id: id('key'),
        name: z.string().describe('Label that the key was created with.'),
        scope,
        company_ids: apiKey.shape.company_ids,
        permissions: apiKey.shape.permissions,
        agent_id: apiKey.shape.agent_id,
        expires_at: timestamp.nullable().describe('When the key expires (UTC); null if it never does.'),
      })
      .describe('The API key of the request, or the key behind the session.'),
  })
  .meta({ id: 'Me', description: 'The account and the API key that a request is authenticated as.' });

const sessionRole = z.enum(['owner', 'member', 'viewer']);
export type SessionRole = z.output<typeof sessionRole>;

export const session = z
  .object({
    ...identity('ses', 'session'),
    key_id: id('key').describe('ID of the API key that the session was opened with and acts as (`key_…`).'),
    key_name: z.string().describe('Label of that API key.'),
    role: sessionRole.describe(
      'What the session may do: `owner` everything a `human` key may, `member` what its key is narrowed to, `viewer` only reads.',
    ),
    ip: z.string().nullable().describe('IP address that signed in; null if not known.'),
    user_agent: z
      .string()
      .nullable()
      .describe('Browser that signed in, as its `User-Agent` header says; null if not sent.'),
    current: z.boolean().describe('True for the session that this request was made with.'),
    status: z.enum(['active', 'ended']).describe('`active` until the session is revoked, signed out or expired.'),
    created_at: createdAt,
    last_seen_at: timestamp.describe('When the session was last used (UTC, to the minute).'),
    expires_at: timestamp.describe('When the session ends unless it is used again (UTC).'),
    ended_at: timestamp.nullable().describe('When the session ended (UTC); null while active.'),
  })
  .meta({ id: 'Session', description: 'A sign-in to the dashboard, without its token.' });
export type Session = z.output<typeof session>;

export const sessionState = z.object({
  object: objectType('session'),
  id: session.shape.id,
  csrf_token: z
    .string()
    .meta({ description: 'Token to send as the `x-csrf-token` header of every request that changes something.' }),
  role: sessionRole,
  account: me.shape.account.pick({ id: true, name: true, mode: true }),
  api_key: me.shape.api_key.pick({ id: true, name: true, scope: true, company_ids: true, permissions: true }),
  created_at: createdAt,
  expires_at: timestamp,
});
export type SessionState = z.output<typeof sessionState>;
