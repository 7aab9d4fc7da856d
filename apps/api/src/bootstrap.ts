import { type Core, hasAccount, openAccount } from '@finhook/core';

/** On an empty database, the operator's first key opens the first account: once, however many api processes start. */
export async function bootstrap(core: Core, key: string | undefined): Promise<void> {
  if (key === undefined || (await hasAccount(core))) return;
  const mode = key.startsWith('sk_test_') ? 'test' : 'live';
  try {
    await openAccount(core, { name: 'First account', mode, companyName: 'First company', key });
  } catch (error) {
    // Another api that started at the same time was faster.
    if (!(await hasAccount(core))) throw error;
  }
}
