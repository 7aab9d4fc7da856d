import { openAccount, recordSecretsKeys } from '@finhook/core';
import { type Program, readName, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

const options = {
  name: { type: 'string', default: 'New account' },
  live: { type: 'boolean', default: false },
  // Has no effect, because test is the default: lets a script say it.
  test: { type: 'boolean', default: false },
} as const;

export const accountCreate: Program = async (args, source) => {
  const env = readLocalEnv(source);
  const { name, live } = readOptions('account:create [--name "Acme"] [--live]', options, args, (values) => {
    if (values.live && values.test) throw new Error('--live and --test exclude each other');
    return { name: readName(values.name), live: values.live };
  });
  const opened = await withCore(env, async (core) => {
    const account = await openAccount(core, { name, mode: live ? 'live' : 'test', companyName: name });
    await recordSecretsKeys(core);
    return account;
  });
  return { account_id: opened.accountId, company_id: opened.companyId, api_key: opened.apiKey };
};

if (import.meta.main) await runProgram(accountCreate);
