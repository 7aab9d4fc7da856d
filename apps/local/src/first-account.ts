import {
  type Core,
  DomainError,
  findFirstCompany,
  findKnownKey,
  handlers,
  hasAccount,
  openAccount,
  systemContext,
} from '@finhook/core';
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
    if (await hasAccount(core, known.account_id)) return known;
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
  const context = systemContext(core, accountId, 'account_create');
  const companyId =
    (await findFirstCompany(core, accountId)) ?? (await handlers.companies.create(context, { name: COMPANY_NAME })).id;
  return { account_id: accountId, company_id: companyId, api_key: key };
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
