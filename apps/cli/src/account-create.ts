import { openAccount, recordSecretsKeys } from '@finhook/core';
import { exitWithMessage, readName, readOptions } from './command.ts';
import { readLocalEnv } from './env.ts';
import { printJson } from './terminal.ts';
import { withCore } from './with-core.ts';

const options = {
  name: { type: 'string', default: 'New account' },
  live: { type: 'boolean', default: false },
  // The default, accepted so that a script can say what it means.
  test: { type: 'boolean', default: false },
} as const;

try {
  const env = readLocalEnv();
  const { name, live } = readOptions('account:create [--name "Acme"] [--live]', options, (values) => {
    if (values.live && values.test) throw new Error('--live and --test exclude each other');
    return { name: readName(values.name), live: values.live };
  });
  const opened = await withCore(env, async (core) => {
    const account = await openAccount(core, { name, mode: live ? 'live' : 'test', companyName: name });
    await recordSecretsKeys(core);
    return account;
  });
  const { accountId: account_id, companyId: company_id, apiKey: api_key } = opened;
  printJson(JSON.stringify({ account_id, company_id, api_key }));
} catch (error) {
  exitWithMessage(error);
}
