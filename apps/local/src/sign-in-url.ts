import { type Core, createSignInLink, DomainError } from '@finhook/core';
import { LocalError } from './local-error.ts';

interface SignIn {
  api_url: string;
  api_key: string;
}

/** An address that signs in to the dashboard once, within 24 hours. Throws a sentence when the key may not sign in. */
export async function signInUrl(core: Core, { api_url, api_key }: SignIn): Promise<string> {
  try {
    return `${api_url}/dashboard/sign-in?link=${await createSignInLink(core, api_key)}`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new LocalError(
      `The key in credentials.json cannot sign in: ${error.message} Sign in at ${api_url}/dashboard with another key.`,
    );
  }
}
