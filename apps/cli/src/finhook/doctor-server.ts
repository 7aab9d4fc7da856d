import { reasonOf } from '../reason-of.ts';
import type { Environment } from './env.ts';
import { compareSecretsKeys, fromServer, readDatabase, readPending, tryWrite } from './migrate.ts';

export interface Finding {
  result: 'ok' | 'warning' | 'failed';
  text: string;
}

export interface Check {
  name: string;
  run: () => Promise<Finding>;
}

export const ok = (text: string): Finding => ({ result: 'ok', text });
export const warning = (text: string): Finding => ({ result: 'warning', text });
export const failed = (text: string): Finding => ({ result: 'failed', text });

interface DatabaseCheck {
  name: string;
  run: (env: Environment) => Promise<Finding>;
}

const migrations: DatabaseCheck = {
  name: 'database',
  run: async (env) => {
    const { pending, isReadOnly } = await readPending(env);
    if (isReadOnly) return failed('it accepts no writes: it is a replica, or its settings say so');
    const failure = await tryWrite(env).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure instanceof Error) return failed(`it takes no writes: ${failure.message}`);
    return pending.length === 0
      ? ok('up to date, and it takes writes')
      : failed(`${pending.length} migrations are pending: finhook migrate apply`);
  },
};

const OLDEST_POSTGRES = 17;

const version: DatabaseCheck = {
  name: 'postgres',
  run: async (env) => {
    const { version: running } = await readRights(env);
    return Number.parseInt(running, 10) >= OLDEST_POSTGRES
      ? ok(`PostgreSQL ${running}`)
      : failed(`PostgreSQL ${running} is too old: update it to ${OLDEST_POSTGRES} or newer`);
  },
};

const rights: DatabaseCheck = {
  name: 'rights',
  run: async (env) => {
    const { user, isPrivileged, unbound, auditWriters } = await readRights(env);
    const [role] = [...unbound, ...auditWriters];
    if (unbound.length > 0) {
      return failed(
        `accounts are not kept apart, because row-level security does not bind ${unbound.join(' and ')}: ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`,
      );
    }
    if (auditWriters.length > 0) {
      return failed(
        `${auditWriters.join(' and ')} can change the audit log: REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM ${role}`,
      );
    }
    return isPrivileged
      ? warning(
          `${user} is a superuser or has BYPASSRLS, which the service does not need: use a user that only owns the database (docs/operations.md, Roles)`,
        )
      : ok(`${user} is no superuser, row-level security binds every request, and the audit log only grows`);
  },
};

const secrets: DatabaseCheck = {
  name: 'secrets',
  run: async (env) => {
    const { known, foreign, isKnown } = await compareSecretsKeys(env);
    if (!isKnown) {
      return failed(
        `this SECRETS_KEY opens nothing that is stored (the database knows ${known.join(', ')}): set it to that of the service`,
      );
    }
    if (foreign.length > 0) {
      return failed(
        `${foreign.join(', ')}: the SECRETS_KEY opens nothing that is stored, and every API key is rejected there. Correct it and restart`,
      );
    }
    return ok(known.length === 0 ? 'nothing is stored yet' : 'the SECRETS_KEY of every process opens what is stored');
  },
};

export const databaseChecks = (env: Environment): Check[] =>
  [migrations, version, rights, secrets].map(({ name, run }) => ({ name, run: () => run(env) }));

async function readRights(env: Environment) {
  const { readDatabaseRights } = await fromServer(() => import('@finhook/core'));
  return await readDatabase(env, readDatabaseRights);
}

const OLDEST_REDIS = [6, 2] as const;

function isOldRedis(text: string): boolean {
  const [major = 0, minor = 0] = text.split('.').map(Number);
  return major < OLDEST_REDIS[0] || (major === OLDEST_REDIS[0] && minor < OLDEST_REDIS[1]);
}

export function queueCheck(queueUrl: string): Check {
  return {
    name: 'queue',
    run: async () => {
      const { inspectQueue } = await fromServer(() => import('@finhook/queue'));
      const facts = await inspectQueue(queueUrl).catch((error: unknown) => {
        const reason = reasonOf(error);
        throw new Error(`QUEUE_URL can't be used: ${reason}. Start Redis, or correct the variable`);
      });
      if (facts === undefined) return ok('on PostgreSQL');
      const { version: running, maxmemoryPolicy, isAppendOnly } = facts;
      if (isOldRedis(running)) return failed(`Redis ${running} is too old: update it to 6.2 or newer`);
      if (maxmemoryPolicy !== 'noeviction') {
        return warning(
          `Redis ${running} deletes jobs when its memory is full (${maxmemoryPolicy}), and deliveries are late then: CONFIG SET maxmemory-policy noeviction`,
        );
      }
      const persistence = isAppendOnly ? 'with an append-only file, which is not needed' : 'without append-only file';
      return ok(`Redis ${running}, noeviction, ${persistence}`);
    },
  };
}
