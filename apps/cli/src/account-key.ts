import { type Scope, scope as scopes } from '@finhook/contracts';
import {
  type Core,
  createAccountKey,
  DomainError,
  hasAccount,
  isAccountFrozen,
  type NewAccountKey,
} from '@finhook/core';
import { ExpectedError, type Program, readName, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

const usage = `account:key [--account acct_…] [--name "Ann"] [--scope ${scopes.options.join('|')}] [--agent agent_…]`;
const options = {
  account: { type: 'string' },
  name: { type: 'string', default: 'Operator-made key' },
  scope: { type: 'string', default: 'human' },
  agent: { type: 'string' },
} as const;

function readScope(text: string, agent: string | undefined): Scope {
  const { data } = scopes.safeParse(text);
  if (data === undefined) throw new Error(`--scope is "${text}" instead of ${scopes.options.join(', ')}`);
  if ((data === 'agent') !== (agent !== undefined)) throw new Error('--agent and --scope agent need each other');
  return data;
}

async function createKey(core: Core, input: NewAccountKey): ReturnType<typeof createAccountKey> {
  try {
    return await createAccountKey(core, input);
  } catch (error) {
    if (isAccountFrozen(error)) {
      throw new ExpectedError(
        'The account moves to another cell, or has moved. Run this there, or name another --account.',
      );
    }
    if (!(error instanceof DomainError)) throw error;
    if (input.agentId !== undefined && (await hasAccount(core, input.accountId)))
      throw new ExpectedError(`The account has no agent ${input.agentId}.`);
    const which = input.accountId === undefined ? 'no account yet' : `no account ${input.accountId}`;
    throw new ExpectedError(`The database has ${which}. Make one: npx -y pnpm@12.21.0 run account:create.`);
  }
}

export const accountKey: Program = async (args, source) => {
  const env = readLocalEnv(source);
  const input = readOptions(usage, options, args, ({ account, name, scope, agent }) => ({
    accountId: account,
    name: readName(name),
    scope: readScope(scope, agent),
    agentId: agent,
  }));
  const { accountId, keyId, apiKey } = await withCore(env, (core) => createKey(core, input));
  return { account_id: accountId, key_id: keyId, api_key: apiKey };
};

if (import.meta.main) await runProgram(accountKey);
