import { accountName, type NamedConnection } from '../../lib/connection-names.ts';
import type { Settings, SettingsChange } from '../../operation/use-change-settings.ts';

type AccountType = Settings['accounts'][number]['account_type'];

export const accountTypes: ReadonlyArray<readonly [type: AccountType, label: string]> = [
  ['depository', 'Bank account'],
  ['investment', 'Investment'],
  ['restricted', 'Restricted'],
  ['credit_card', 'Credit card'],
  ['loan', 'Loan'],
];

type Account = readonly [id: string, name: string];

/** The stored ones first, in their order, also those that no row has any more; then the others. */
export function offeredAccounts(
  names: ReadonlyMap<string, NamedConnection>,
  stored: readonly string[],
  others: readonly string[] = [],
): Account[] {
  const replaced = new Set([...names.values()].map(({ replaces }) => replaces));
  const nameOf = (id: string): string => `${accountName(names, id)}${replaced.has(id) ? ' (replaced)' : ''}`;
  return [...new Set([...stored, ...names.keys(), ...others])].map((id): Account => [id, nameOf(id)]);
}

/** `types`: by the id of the account. With an empty type, its sender says what it is. */
export function withAccountTypes({ accounts }: Settings, types: ReadonlyMap<string, string>): SettingsChange {
  const others = accounts.filter(({ connection_id }) => !types.has(connection_id));
  const typed = [...types].flatMap(([connection_id, type]) => {
    const known = accountTypes.find(([one]) => one === type);
    return known === undefined ? [] : [{ connection_id, account_type: known[0] }];
  });
  return { accounts: [...others, ...typed] };
}

export function withoutPair({ distinct_connections }: Settings, pair: readonly string[]): SettingsChange {
  return {
    distinct_connections: distinct_connections.filter((one) => one.some((id) => !pair.includes(id))),
  };
}
