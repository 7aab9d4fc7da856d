import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { me } from './account.ts';

/** What a session may do: `owner` all that a human key may, `member` what its key is narrowed to, `viewer` reads. */
export const sessionRole = z.enum(['owner', 'member', 'viewer']);
export type SessionRole = z.output<typeof sessionRole>;

/** A sign-in to the dashboard as everyone may see it: never its token. */
export const session = z
  .object({
    id: id('ses'),
    object: z.literal('session'),
    account_id: id('acct'),
    key_id: id('key').meta({ description: 'The key that it was opened with, which it acts as' }),
    key_name: z.string(),
    role: sessionRole,
    ip: z.string().nullable().meta({ description: 'The address that signed in' }),
    user_agent: z.string().nullable(),
    current: z.boolean().meta({ description: 'Whether this request came by it' }),
    status: z.enum(['active', 'ended']),
    created_at: timestamp,
    last_seen_at: timestamp.meta({ description: 'Its last use, to the minute' }),
    expires_at: timestamp.meta({ description: 'When it ends if it is not used again' }),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof session>;

/** What the dashboard is told of its own session. */
export const sessionState = z.object({
  object: z.literal('session'),
  id: session.shape.id,
  csrf_token: z.string().meta({ description: 'Goes back as `x-csrf-token` with every request that changes something' }),
  role: sessionRole,
  account: me.shape.account.pick({ id: true, name: true, mode: true }),
  api_key: me.shape.api_key.pick({ id: true, name: true, scope: true, company_ids: true, permissions: true }),
  created_at: timestamp,
  expires_at: timestamp,
});
export type SessionState = z.output<typeof sessionState>;
