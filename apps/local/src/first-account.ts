import { type Core, openAccount } from '@finhook/core';
import type { Credentials, DataFolder } from './data-folder.ts';
import { LocalError } from './local-error.ts';

/** The account of this folder: opened on the first start, remembered afterwards. */
export async function firstAccount(
  core: Core,
  folder: DataFolder,
  bootstrapKey: string | undefined,
): Promise<Credentials> {
  const known = folder.readCredentials();
  if (known) {
    const [account] = await core.database.query('SELECT id FROM account WHERE id = $1', [known.account_id]);
    if (account) return known;
    throw new LocalError(
      `The database does not have the account in ${folder.path}/credentials.json. ` +
        'Point DATABASE_URL at the database that has it, or remove the file to open a new account.',
    );
  }
  const mode = bootstrapKey?.startsWith('sk_live_') ? 'live' : 'test';
  const opened = await openAccount(core, { name: 'Local account', mode, companyName: 'My company', key: bootstrapKey });
  const credentials = { account_id: opened.accountId, company_id: opened.companyId, api_key: opened.apiKey };
  folder.writeCredentials(credentials);
  return credentials;
}
