import type { BankTransactionInput } from '@finhook/contracts';
import type { Core } from '../../../kernel/context.ts';

/** The range to pull; days are `YYYY-MM-DD` in UTC. */
export interface PullRequest {
  connectionId: string;
  token: string;
  url: string | null;
  /** The connection's own currency, for rows that name none. */
  currency: string | null;
  connectedOn: string;
  /** First day that is wanted. */
  from: string;
  /** The day of the pull. */
  until: string;
  /** `next` of the page before; null for the first. */
  cursor: string | null;
  signal: AbortSignal;
}

/** A balance from a provider, of the connection that is pulled. */
export interface PulledBalance {
  as_of: string;
  balance_cents: number;
  currency: string;
  source?: string | null | undefined;
}

/** Rows that are not what the service takes: how many, and one sentence for the first. */
export interface Refusals {
  count: number;
  first: string | null;
}

export interface ProviderPage {
  balances: readonly PulledBalance[];
  transactions: readonly BankTransactionInput[];
  refusals: Readonly<Refusals>;
  /** The number of these that are transactions. */
  refusedTransactions: number;
  /** From which day on the provider has all transactions, where it says so; in UTC. */
  historyFrom: string | null;
  /** Cursor of the next page; null at the end. */
  next: string | null;
}

/**
 * A page, or why there is none. The sentence is public and holds nothing of the token or the provider's answer. A provider
 * that only wants to be left alone can be asked for the page again after `waitMs`.
 */
export type Pulled =
  | { ok: true; page: ProviderPage }
  | { ok: false; code: string; message: string; waitMs?: number | undefined };

/** A source to pull from. Returns errors of the other side as values, and throws for faults of this process. */
export interface Provider {
  takesUrl: boolean;
  pull(core: Pick<Core, 'fetchJson'>, request: PullRequest): Promise<Pulled>;
}
