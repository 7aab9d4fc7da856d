import { parseArgs } from 'node:util';
import { type Core, openAccount } from '@finhook/core';
import { type LocalEnv, readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { LocalError } from './local-error.ts';
import { withCore } from './with-core.ts';

/** As the API has it for a company, which gets the name too. */
const MAX_NAME_LENGTH = 200;

interface Options {
  name: string;
  test: boolean;
}

function readOptions(): Options {
  try {
    // A script runner may hand on what tells its own options from these.
    const args = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
    const { values } = parseArgs({
      args,
      options: { name: { type: 'string', default: 'New account' }, test: { type: 'boolean', default: false } },
    });
    const name = values.name.trim();
    if (name === '' || name.length > MAX_NAME_LENGTH)
      throw new Error(`--name has ${name.length} characters instead of 1 to ${MAX_NAME_LENGTH}`);
    return { name, test: values.test };
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
