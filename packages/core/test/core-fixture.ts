import type { TestClock, TestDatabase } from '@finhook/testing';
import { forwardTo, useOpened } from '@finhook/testing/use';
import { inject } from 'vitest';
import { fullAccess } from '../src/access/access.ts';
import { openAccount } from '../src/modules/accounts/account.ts';
import { openCore } from '../src/open-core.ts';
import type { Context, Core } from '../src/verbs/context.ts';
import { createMigratedDatabase } from './migrated-database.ts';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** A core on a database of its own, a fresh account with a company, and the context of its first key. */
export interface CoreFixture {
  core: Core;
  context: Context;
  companyId: string;
  apiKey: string;
  database: TestDatabase;
  woken: string[];
  /** A second account on the same database. */
  otherAccount(): Promise<{ context: Context; companyId: string; apiKey: string }>;
  close(): Promise<void>;
}

/** Opens the fixture; `adminUrl` is the run's PostgreSQL. Without a clock the system's is used. */
export async function openFixture(adminUrl: string, clock?: TestClock): Promise<CoreFixture> {
  const database = await createMigratedDatabase(adminUrl);
  const woken: string[] = [];
  const core = await openCore({
    databaseUrl: database.url,
    secretsKey: SECRETS_KEY,
    allowInsecureWebhooks: true,
    poolSize: 16,
    queue: { leaseMs: () => 0, add: (_, endpoints) => void woken.push(...endpoints.map(({ id }) => id)) },
    ...(clock ? { clock } : {}),
  });
  const contextOf = async (name: string) => {
    const opened = await openAccount(core, { name, mode: 'test', companyName: `${name} Inc` });
    const context: Context = {
      ...core,
      database: core.database.forAccount(opened.accountId),
      accountId: opened.accountId,
      actor: { type: 'api_key', id: 'key_test', name: 'Test' },
      keyId: 'key_test',
      originId: 'key_test',
      personId: 'key_test',
      scope: 'human',
      access: fullAccess,
      request: { id: 'req_test', ip: '127.0.0.1' },
    };
    return { context, companyId: opened.companyId, apiKey: opened.apiKey };
  };
  const first = await contextOf('Acme');
  return {
    core,
    ...first,
    database,
    woken,
    otherAccount: () => contextOf('Other'),
    async close() {
      await core.database.close();
      await database.drop();
    },
  };
}

/** The fixture for the tests of a file; its `core` and `context` may be destructured while the file is loaded. */
export function useFixture(clock?: TestClock): CoreFixture {
  const fixture = useOpened(
    () => openFixture(inject('pgUrl'), clock),
    (opened) => opened.close(),
  );
  return forwardTo(() => fixture, {
    core: forwardTo(() => fixture.core),
    context: forwardTo(() => fixture.context),
  });
}
