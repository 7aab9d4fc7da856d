import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { apiKeyName } from '../records/api-key.ts';
import { coded, text, timestamp } from '../scalars.ts';
import { apiKeyOperations } from './api-keys.ts';

// A person compares it to confirm the login: it must not hide or reorder characters.
const clientName = apiKeyName
  .refine(
    (name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name),
    coded('invalid_format', 'must have no control or format characters'),
  )
  .describe('Shown to the person, and the suggested name of the key. No control or format characters.');

const userCode = text(1, 32).describe('The code that the person compares and confirms, for example `BCDF-GHJK`.');

const deviceLogin = z
  .object({
    object: z.literal('device_login').describe('Always `device_login`.'),
    user_code: userCode,
    client_name: z.string().describe('What the program calls itself.'),
    ip: z.string().describe('IP address of the program.'),
    created_at: timestamp.describe('When the program began the login (UTC).'),
    expires_at: timestamp.describe('When the codes expire (UTC).'),
  })
  .meta({ id: 'DeviceLogin', description: 'A login that a program began and that waits for a person.' });
export type DeviceLogin = z.output<typeof deviceLogin>;

/** Similar to RFC 8628. Not in the operations table, whose operations all need a key: `begin` and `poll` need none. */
export const deviceLoginOperations = {
  begin: defineOperation({
    summary: 'Begin a login without a key',
    description:
      'Device authorization in the manner of RFC 8628: show `user_code` and `verification_uri` to a person, who confirms the login in the dashboard, and poll with `device_code`. Needs no API key. Both codes expire after 10 minutes.',
    http: { method: 'POST', path: '/device-authorization' },
    scopes: [],
    input: z.object({ client_name: clientName }),
    output: z
      .object({
        device_code: z.string().describe('Secret of the program, for polling.'),
        user_code: userCode,
        verification_uri: z.string().describe('Page of the dashboard where the person enters the code.'),
        verification_uri_complete: z.string().describe('The same page with the code filled in.'),
        expires_in: z.int().min(0).max(3600).describe('Seconds until the codes expire.'),
        interval: z.int().min(1).max(60).describe('Seconds to wait between polls.'),
      })
      .meta({ id: 'DeviceAuthorization', description: 'The codes of a login.' }),
    example: { client_name: 'finhook on workstation' },
  }),
  poll: defineOperation({
    summary: 'Exchange a confirmed login for an API key',
    description:
      'Returns the key once the person has allowed the login: it is created then, and polls that follow return the same one until the codes expire. Until then 400 `authorization_pending`, or `slow_down` if the last poll is less than `interval` seconds ago. 400 `access_denied` and `expired_token` end the login. Needs no API key. Emits `api_key.created`.',
    http: { method: 'POST', path: '/device-token' },
    scopes: [],
    input: z.object({ device_code: text(1, 100).describe('The `device_code` of the login.') }),
    output: apiKeyOperations.create.output,
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
    emits: ['api_key.created'],
    example: { device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS9A' },
  }),
  get: defineOperation({
    summary: 'Read a login by its user code',
    description: 'For the dashboard.',
    http: { method: 'GET', path: '/device-login' },
    input: z.object({ user_code: userCode }),
    output: deviceLogin,
  }),
  approve: defineOperation({
    summary: 'Allow a login',
    description: 'For the dashboard. The fields besides `user_code` are those of the key to create.',
    http: { method: 'POST', path: '/device-login/approve', success: 204 },
    permission: 'keys:write',
    input: z.object({ user_code: userCode, ...apiKeyOperations.create.input.shape }),
    output: z.object({}),
  }),
  deny: defineOperation({
    summary: 'Deny a login',
    description: 'For the dashboard.',
    http: { method: 'POST', path: '/device-login/deny', success: 204 },
    permission: 'keys:write',
    input: z.object({ user_code: userCode }),
    output: z.object({}),
  }),
};
