import {
  type Core,
  createSignInLink,
  DomainError,
  findFirstCompany,
  findKnownKey,
  handlers,
  hasAccount,
  openAccount,
  systemContext,
} from '@finhook/core';
import { ExpectedError } from './command.ts';
import type { Credentials, DataFolder } from './data-folder.ts';

const COMPANY_NAME = 'My company';

export async function firstAccount(
  core: Core,
  folder: DataFolder,
  bootstrapKey: string | undefined,
): Promise<Credentials> {
  const known = folder.readCredentials();
  if (known) {
    if (await hasAccount(core, known.account_id)) return known;
    throw new ExpectedError(
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
 * Finds the account of `key` if a start died before it wrote the folder, perhaps even before the company was created.
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

/** @throws if SECRETS_KEY differs: keys, links and secrets of the folder's account would be unusable */
export async function assertSameSecretsKey(core: Core, folder: DataFolder): Promise<void> {
  const credentials = folder.readCredentials();
  if (credentials === undefined || (await accountOf(core, credentials.api_key)) !== undefined) return;
  if (!(await hasAccount(core, credentials.account_id))) return;
  throw new ExpectedError(
    `The data of ${folder.path} was written under another SECRETS_KEY than this one. Set SECRETS_KEY to the one that ` +
      'its service was started with, or unset it if there was none; to rotate, list the old one too: SECRETS_KEY=new,old.',
  );
}

interface SignIn {
  api_url: string;
  api_key: string;
}

/** A URL that signs in to the dashboard once, within 24 hours. @throws ExpectedError if the key may not sign in */
export async function signInUrl(core: Core, { api_url, api_key }: SignIn): Promise<string> {
  try {
    return `${api_url}/dashboard/sign-in?link=${await createSignInLink(core, api_key)}`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ExpectedError(
      `The key in credentials.json cannot sign in: ${error.message} Sign in at ${api_url}/dashboard with another key.`,
    );
  }
}
