import type { BankConnection } from './records/bank-connection.ts';

type Named = Pick<BankConnection, 'institution_name' | 'account_name' | 'account_last4' | 'provider'>;

/** `Example Bank · Operating ····4321`; falls back to the provider. */
export function connectionName({
  institution_name: bank,
  account_name: account,
  account_last4: last4,
  provider,
}: Named): string {
  const parts = [bank ?? (account === null ? provider : null), account].filter((part) => part !== null);
  return `${parts.join(' · ')}${last4 === null ? '' : ` ····${last4}`}`;
}
