import { randomInt } from 'node:crypto';
import type { DeviceLogin, operations } from '@finhook/contracts';
import { quotaLock } from '../../access/quota.ts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import { transaction } from '../../outbox/transaction.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import { beginIdempotent } from '../../verbs/idempotency.ts';
import type { InputOf, OutputOf } from '../../verbs/verb.ts';
import { addApiKey } from '../accounts/api-keys/create.ts';
import { hashKey } from '../accounts/api-keys/key-format.ts';
import {
  assertNotEnded,
  callerContext,
  KeyRejected,
  type KeyRow,
  keyColumns,
  toKnownKey,
} from '../accounts/known-key.ts';
import { generateToken, tokenHashes } from './session-record.ts';

type KeyInput = InputOf<typeof operations.apiKeys.create>;
type CreatedKey = OutputOf<typeof operations.apiKeys.create>;

export const deviceLoginTimes = { lifeSeconds: 600, intervalSeconds: 5 } as const;

/** Consonants without Y (RFC 8628, section 6.1); 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

interface LoginRow {
  device_hash: Buffer;
  client_name: string;
  ip: string;
  created_at: string;
  expires_at: string;
}

type DecidedRow = KeyRow & {
  device_hash: Buffer;
  decided_at: string | null;
  input: KeyInput | null;
};

// Keeps logins that have just expired, which somebody may be deciding.
const insertLogin = systemStatement(
  'insert_device_login',
  `WITH expired AS (
     DELETE FROM device_login l WHERE expires_at <= $5::timestamptz - interval '1 hour' AND NOT EXISTS (
       SELECT FROM device_login_decision d WHERE d.device_hash = l.device_hash AND NOT ${isNotMoving('d.account_id')}))
   INSERT INTO device_login (device_hash, user_hash, client_name, ip, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const findPending = systemStatement(
  'find_pending_device_login',
  `SELECT l.device_hash, l.client_name, l.ip, l.created_at, l.expires_at FROM device_login l
   WHERE l.user_hash = ANY ($1::bytea[]) AND l.expires_at > $2
     AND NOT EXISTS (SELECT FROM device_login_decision d WHERE d.device_hash = l.device_hash)`,
);
const findLogin = systemStatement(
  'find_device_login',
  `SELECT l.device_hash, d.decided_at, d.input, ${keyColumns}
   FROM device_login l LEFT JOIN device_login_decision d ON d.device_hash = l.device_hash
     LEFT JOIN api_key k ON k.id = d.key_id LEFT JOIN agent a ON a.id = k.agent_id
   WHERE l.device_hash = ANY ($1::bytea[]) AND l.expires_at > $2`,
);
const touchLogin = systemStatement(
  'touch_device_login',
  `UPDATE device_login SET polled_at = $2 WHERE device_hash = $1 AND (polled_at IS NULL OR polled_at <= $3)
   RETURNING device_hash`,
);
const insertDecision = statement(
  'insert_device_login_decision',
  `INSERT INTO device_login_decision (device_hash, account_id, key_id, input, decided_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING RETURNING key_id`,
);

const useDecision = statement(
  'use_device_login_decision',
  'UPDATE device_login_decision SET used_at = $2 WHERE device_hash = $1',
);

function userHashes(core: Pick<Core, 'secrets'>, userCode: string): Buffer[] {
  const letters = userCode.toUpperCase().replaceAll(/[\s-]/g, '');
  return letters.length === CODE_LENGTH ? core.secrets.peppers.map((pepper) => hashKey(letters, pepper)) : [];
}

function generateUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export async function beginDeviceLogin(
  core: Core,
  { client_name, ip }: { client_name: string; ip: string },
): Promise<{ device_code: string; user_code: string }> {
  const [device_code, user_code] = [generateToken(core), generateUserCode()];
  const now = core.clock.now();
  const expires = new Date(now.getTime() + deviceLoginTimes.lifeSeconds * 1000);
  const hashes = [tokenHashes(core, device_code)[0], userHashes(core, user_code)[0]];
  await core.database.query(insertLogin, [...hashes, client_name, ip, now.toISOString(), expires.toISOString()]);
  return { device_code, user_code };
}

async function findByUserCode(core: Core, userCode: string): Promise<LoginRow> {
  const values = [userHashes(core, userCode), core.clock.now().toISOString()];
  const [row] = await core.database.query<LoginRow>(findPending, values);
  if (!row) throw noSuchLogin(core);
  return row;
}

/** The same error for every code, so that it reveals nothing about other logins. */
function noSuchLogin({ cell }: Core): DomainError {
  const causes = 'It is mistyped, has expired or was already decided';
  return new DomainError('not_found', {
    detail:
      cell === ''
        ? `No login waits with this code. ${causes}: begin a new login.`
        : `No login waits with this code. ${causes}, or was begun in another cell: begin a new login in the cell ${cell}, that of your account.`,
  });
}

/** Throws `not_found` for an unknown or expired code. */
export async function getDeviceLogin(core: Core, userCode: string): Promise<DeviceLogin> {
  const { client_name, ip, created_at, expires_at } = await findByUserCode(core, userCode);
  return {
    object: 'device_login',
    user_code: userCode,
    client_name,
    ip,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
  };
}

/** The next poll creates the key of `input` with the authority of the caller's key. Throws the errors of `apiKeys.create`. */
export async function approveDeviceLogin(
  core: Core,
  context: Context,
  userCode: string,
  input: KeyInput,
): Promise<void> {
  const login = await findByUserCode(core, userCode);
  // oxlint-disable-next-line finhook/transaction-records -- addApiKey adds both
  await transaction(context, { records: 'audit and event', lock: quotaLock('api_keys', context), dryRun: true }, (tx) =>
    addApiKey(tx, context, input),
  );
  await decide(context, login, input);
}

export async function denyDeviceLogin(core: Core, context: Context, userCode: string): Promise<void> {
  await decide(context, await findByUserCode(core, userCode), null);
}

async function decide(context: Context, login: LoginRow, input: KeyInput | null): Promise<void> {
  const { accountId, keyId, clock } = context;
  // No event: the creation of the key emits one.
  await transaction(context, { records: 'audit' }, async (tx) => {
    const json = input && JSON.stringify(input);
    const at = clock.now().toISOString();
    const rows = await tx.query(insertDecision, [login.device_hash, accountId, keyId, json, at]);
    if (rows.length === 0) throw noSuchLogin(context);
    audit(tx, context, {
      action: input ? 'deviceLogins.approve' : 'deviceLogins.deny',
      resourceId: keyId,
      after: { client_name: login.client_name, ip: login.ip, ...(input && { key: input }) },
    });
  });
}

/** A repeated poll returns the same key, because the first response may be lost. Errors: RFC 8628, section 3.5. */
export async function pollDeviceLogin(
  core: Core,
  deviceCode: string,
  request: { id: string; ip: string },
): Promise<CreatedKey> {
  const now = core.clock.now();
  const values = [tokenHashes(core, deviceCode), now.toISOString()];
  const [login] = await core.database.query<DecidedRow>(findLogin, values);
  if (!login) throw ended();
  const earliest = new Date(now.getTime() - deviceLoginTimes.intervalSeconds * 1000).toISOString();
  const touched = await core.database.query(touchLogin, [login.device_hash, now.toISOString(), earliest]);
  if (touched.length === 0) throw tooEarly();
  if (login.decided_at === null) {
    throw new DomainError('authorization_pending', { detail: 'Nobody has confirmed the login in the dashboard yet.' });
  }
  if (login.input === null) throw denied('The login was denied in the dashboard.');
  try {
    return await createKey(core, login, login.input, request);
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500 || error.code === 'wrong_cell') throw error;
    if (error.code === 'idempotency_in_progress') throw tooEarly();
    const whose = error instanceof KeyRejected ? 'The key that allowed the login has ended.' : error.message;
    throw denied(`The key cannot be created: ${whose}`);
  }
}

function tooEarly(): DomainError {
  return new DomainError('slow_down', {
    detail: `Poll every ${deviceLoginTimes.intervalSeconds} seconds or less often.`,
  });
}

function ended(): DomainError {
  return new DomainError('expired_token', { detail: 'The device code is unknown or has expired.' });
}

function denied(detail: string): DomainError {
  return new DomainError('access_denied', { detail });
}

/** Acts with the current authority of the key that approved the login. */
async function createKey(core: Core, login: DecidedRow, input: KeyInput, request: { id: string; ip: string }) {
  const known = toKnownKey(login);
  assertNotEnded(known, core.clock.now());
  const context = callerContext(core, known.principal, { request });
  const begun = await beginIdempotent(context, {
    key: `device-login:${login.device_hash.toString('hex')}`,
    fingerprint: [],
    secret: true,
  });
  if ('replay' in begun) {
    if (!begun.replay.ok) throw ended();
    return asCreatedKey(begun.replay.output);
  }
  // oxlint-disable-next-line finhook/transaction-records -- addApiKey adds both
  return transaction(
    { ...context, idempotency: begun.run },
    { records: 'audit and event', lock: quotaLock('api_keys', context) },
    async (tx) => {
      const created = await addApiKey(tx, context, input);
      await tx.query(useDecision, [login.device_hash, context.clock.now().toISOString()]);
      return created;
    },
  ).catch(async (error: unknown) => {
    await begun.run.release(context.database);
    throw error;
  });
}

// Only the transaction above stores an outcome.
function asCreatedKey(output: unknown): CreatedKey {
  return output as CreatedKey;
}
