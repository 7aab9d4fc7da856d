import type { Aggregate } from './ofx-tree.ts';

/** Properties that distinguish accounts with the same number, in order. */
const parts: readonly ((account: Aggregate) => string)[] = [
  (account) => (account.name === 'CCACCTFROM' ? 'CREDITCARD' : fieldOf(account, 'ACCTTYPE').toUpperCase()),
  (account) => fieldOf(account, 'BANKID'),
  (account) => fieldOf(account, 'BRANCHID'),
];

function fieldOf({ fields }: Aggregate, name: string): string {
  return fields.get(name) ?? '';
}

/** Accounts are named by number, and by type or bank if these share one. */
export class OfxAccounts {
  readonly #differences = new Map<string, typeof parts>();

  constructor(accounts: readonly (Aggregate | undefined)[]) {
    const named = accounts.filter((account) => account !== undefined);
    for (const [id, same] of Map.groupBy(named, (account) => fieldOf(account, 'ACCTID'))) {
      const differing = parts.filter((part) => new Set(same.map(part)).size > 1);
      this.#differences.set(id, differing);
    }
  }

  nameOf(account: Aggregate | undefined): string {
    if (account === undefined) return '';
    const id = fieldOf(account, 'ACCTID');
    const differing = this.#differences.get(id) ?? [];
    return [id, ...differing.map((part) => part(account))].filter((text) => text !== '').join(' ');
  }
}
