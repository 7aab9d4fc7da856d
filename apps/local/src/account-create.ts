import { parseArgs } from 'node:util';
import { type Core, openAccount } from '@finhook/core';
import { type LocalEnv, readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { LocalError } from './local-error.ts';
import { withCore } from './with-core.ts';

interface Options {
  name: string;
  test: boolean;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: { name: { type: 'string' }, test: { type: 'boolean', default: false } },
    });
    return { name: values.name ?? 'New account', test: values.test };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalError(`${reason}. Usage: account:create [--name "Acme"] [--test]`);
  }
}

async function createAccount(env: LocalEnv, { name, test }: Options): Promise<void> {
  const open = (core: Core) => openAccount(core, { name, mode: test ? 'test' : 'live', companyName: name });
  const opened = await withCore(env, open);
  const answer = { account_id: opened.accountId, company_id: opened.companyId, api_key: opened.apiKey };
  console.log(JSON.stringify(answer));
}

try {
  await createAccount(readLocalEnv(), readOptions());
} catch (error) {
  exitWithSentence(error);
}
