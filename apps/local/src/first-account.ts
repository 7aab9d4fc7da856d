import { type Core, DomainError, findKnownKey, handlers, openAccount, systemContext } from '@finhook/core';
import type { Credentials, DataFolder } from './data-folder.ts';
import { LocalError } from './local-error.ts';

const COMPANY_NAME = 'My company';

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
  const credentials = (await adoptAccount(core, bootstrapKey)) ?? (await openFirst(core, bootstrapKey));
  folder.writeCredentials(credentials);
  return credentials;
}

async function openFirst(core: Core, key: string | undefined): Promise<Credentials> {
  const mode = key?.startsWith('sk_live_') ? 'live' : 'test';
  const opened = await openAccount(core, { name: 'Local account', mode, companyName: COMPANY_NAME, key });
  return { account_id: opened.accountId, company_id: opened.companyId, api_key: opened.apiKey };
}

/**
 * The account that `key` opened in a start which ended before the folder was written. Earlier versions could end before
 * the company was, too.
 */
async function adoptAccount(core: Core, key: string | undefined): Promise<Credentials | undefined> {
  const accountId = key === undefined ? undefined : await accountOf(core, key);
  if (key === undefined || accountId === undefined) return undefined;
  const companies = 'SELECT id FROM company WHERE account_id = $1 ORDER BY id LIMIT 1';
  const [known] = await core.database.query<{ id: string }>(companies, [accountId]);
  const company =
    known ??
    (await handlers.companies.create(systemContext(core, accountId, 'account_create'), { name: COMPANY_NAME }));
  return { account_id: accountId, company_id: company.id, api_key: key };
}

async function accountOf(core: Core, key: string): Promise<string | undefined> {
  try {
    const { principal } = await findKnownKey(core, key);
    return principal.accountId;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
