// Risk: while a large account is copied back into a cell, logins and jobs of all its accounts wait for the rows that it left there.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../../test/core-fixture.ts';
import { processReport } from '../../../../test/process-report.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { createSecrets } from '../../../access/secrets.ts';
import type { Core } from '../../../verbs/context.ts';
import { beginIdempotent, purgeIdempotencyKeys } from '../../../verbs/idempotency.ts';
import { createCompany } from '../../companies/create.ts';
import { rewrapSecrets } from '../../maintenance/rewrap-secrets.ts';
import { announceProcess } from '../../processes/service-processes.ts';
import { createSessionAuthenticator } from '../../sessions/authenticate-session.ts';
import { beginDeviceLogin, denyDeviceLogin } from '../../sessions/device-login.ts';
import { createSignInLink, openSession } from '../../sessions/open-session.ts';
import { purgeSessions } from '../../sessions/revoke.ts';
import { createEndpoint } from '../../webhooks/create.ts';
import { cancelDeliveriesOfDeleted } from '../../webhooks/delete.ts';
import { endSecretOverlaps, rotateSecret } from '../../webhooks/rotate-secret.ts';
import { createAuthenticator, findKnownKey } from '../authenticate.ts';
import { callerContext } from '../known-key.ts';
import { moveAccount } from './move-account.ts';

let home: CoreFixture;
let away: CoreFixture;
beforeEach(async () => {
  [home, away] = await Promise.all([openFixture(inject('pgUrl')), openFixture(inject('pgUrl'))]);
  await announceProcess({ ...home.core, cell: 'eu' }, processReport);
  await announceProcess({ ...away.core, cell: 'us' }, processReport);
});
afterEach(() => Promise.all([home.close(), away.close()]));

const request = { id: 'req_1', ip: '203.0.113.1' };

/** Rows of every kind that a job, a login or a request would change. Returns the pending writers of the account's last uses. */
async function leaveRows({ core, context, apiKey }: CoreFixture): Promise<() => Promise<void>> {
  const keys = createAuthenticator(core);
  const sessions = createSessionAuthenticator(core, keys);
  const caller = callerContext(core, await keys.authenticate(apiKey, request.ip), { request });
  const { token } = await openSession(caller, 'Browser/1');
  await sessions.authenticate(token, request.ip);
  await openSession(caller, 'Browser/2');
  await createSignInLink(core, apiKey);
  const { user_code } = await beginDeviceLogin(core, { client_name: 'finhook', ip: request.ip });
  await denyDeviceLogin(core, caller, user_code);
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  await rotateSecret(context, { endpoint_id: id, overlap_seconds: 86_400 });
  await createCompany(context, { name: 'With a delivery' });
  const begun = await beginIdempotent(context, { key: 'old', fingerprint: ['post'], secret: false });
  if (!('run' in begun)) throw new Error('The key is in use.');
  await begun.run.complete(context.database, {});
  for (const set of [
    "idempotency_key SET created_at = now() - interval '2 days'",
    "session SET last_seen_at = now() - interval '1 year' WHERE user_agent = 'Browser/2'",
    "session SET last_seen_at = now() - interval '1 hour' WHERE user_agent = 'Browser/1'",
    "sign_in_link SET expires_at = now() - interval '1 hour'",
    "device_login SET expires_at = now() - interval '1 day'",
    "webhook_endpoint SET previous_secret_until = now() - interval '1 hour', deleted_at = now()",
  ]) {
    await core.database.owner.query(`UPDATE ${set}`);
  }
  return async () => void (await Promise.all([keys.flush(), sessions.flush()]));
}

test('while an account is copied back, no login, request or job of the cell waits for it', async () => {
  const { accountId } = home.context;
  const flush = await leaveRows(home);
  const move = (from: CoreFixture, to: CoreFixture, toCell: string) =>
    moveAccount({ accountId, fromUrl: from.database.url, toUrl: to.database.url, toCell, noticeMs: 10 });
  await move(home, away, 'us');
  const holder = await openRawClient(away.database.url);
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE company IN ACCESS EXCLUSIVE MODE');
  const moving = move(away, home, 'eu');
  moving.catch(() => undefined);
  const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = ''
    AND wait_event_type = 'Lock' AND query LIKE 'COPY%'`;
  await expect.poll(async () => (await away.core.database.owner.query(blocked)).length).toBe(1);

  const renewed: Core = {
    ...home.core,
    secrets: createSecrets([randomBytes(32), Buffer.alloc(32, 7)].map((key) => key.toString('base64')).join()),
  };
  expect((await findKnownKey(renewed, home.apiKey)).row.move?.state).toBe('moved');
  await flush();
  await beginDeviceLogin(home.core, { client_name: 'finhook', ip: request.ip });
  await rewrapSecrets(renewed);
  for (const job of [purgeIdempotencyKeys, purgeSessions, cancelDeliveriesOfDeleted, endSecretOverlaps]) {
    expect(await job(home.core), job.name).toBe(0);
  }
  await holder.query('ROLLBACK');
  await holder.end();
  await moving;
  expect(await purgeIdempotencyKeys(home.core)).toBe(1);
  expect(await purgeSessions(home.core)).toBe(2);
});
