import { type Core, DomainError, findKnownKey, hasAccount } from '@finhook/core';
import type { DataFolder } from './data-folder.ts';
import { LocalError } from './local-error.ts';

/**
 * Throws a sentence where the database has the folder's account, and its key not under the SECRETS_KEY of `core`: keys
 * and links made under that one would not work, and what is encrypted could not be read.
 */
export async function refuseOtherKey(core: Core, folder: DataFolder): Promise<void> {
  const credentials = folder.readCredentials();
  if (credentials === undefined || (await isKnown(core, credentials.api_key))) return;
  if (!(await hasAccount(core, credentials.account_id))) return;
  throw new LocalError(
    `The data of ${folder.path} was written under another SECRETS_KEY than this one. Set SECRETS_KEY to the one that ` +
      'its service was started with, or unset it where that was so; to rotate, list the old one too: SECRETS_KEY=new,old.',
  );
}

async function isKnown(core: Core, key: string): Promise<boolean> {
  try {
    await findKnownKey(core, key);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
