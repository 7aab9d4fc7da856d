import type { Aggregate } from './ofx-tree.ts';

/** What tells accounts of one number apart, in the order in which it is tried. */
const parts: readonly ((account: Aggregate) => string)[] = [
  (account) => (account.name === 'CCACCTFROM' ? 'CREDITCARD' : fieldOf(account, 'ACCTTYPE').toUpperCase()),
  (account) => fieldOf(account, 'BANKID'),
  (account) => fieldOf(account, 'BRANCHID'),
];

function fieldOf({ fields }: Aggregate, name: string): string {
  return fields.get(name) ?? '';
}

/**
 * The names of a file's accounts. An account's number is its name, unless accounts of other types or banks have it too:
 * some banks give a customer's checking and savings account one number.
 */
export class OfxAccounts {
  /** By number: the parts in which its accounts differ. */
  readonly #differences = new Map<string, typeof parts>();

  /** @param accounts the element that names the account of each statement of the file */
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
