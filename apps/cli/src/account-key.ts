import { type Core, createAccountKey, DomainError, type NewAccountKey } from '@finhook/core';
import { exitWithMessage, LocalError, readName, readOptions } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

const usage = 'account:key [--account acct_…] [--name "Ann"] [--scope human|read]';
const options = {
  account: { type: 'string' },
  name: { type: 'string', default: 'Operator-made key' },
  scope: { type: 'string', default: 'human' },
} as const;

function readScope(text: string): NewAccountKey['scope'] {
  if (text === 'human' || text === 'read') return text;
  throw new Error(`--scope is "${text}" instead of human or read`);
}

async function createKey(core: Core, input: NewAccountKey): ReturnType<typeof createAccountKey> {
  try {
    return await createAccountKey(core, input);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const which = input.accountId === undefined ? 'no account yet' : `no account ${input.accountId}`;
    throw new LocalError(`The database has ${which}. Make one: npx -y pnpm@12.21.0 run account:create.`);
  }
}

try {
  const env = readLocalEnv();
  const input = readOptions(usage, options, ({ account, name, scope }) => ({
    accountId: account,
    name: readName(name),
    scope: readScope(scope),
  }));
  const {
    accountId: account_id,
    keyId: key_id,
    apiKey: api_key,
  } = await withCore(env, (core) => createKey(core, input));
  console.log(JSON.stringify({ account_id, key_id, api_key }));
} catch (error) {
  exitWithMessage(error);
}
