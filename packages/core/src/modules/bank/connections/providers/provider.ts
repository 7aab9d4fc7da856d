import type { BankTransactionInput } from '@finhook/contracts';
import type { Outgoing } from '../../../../verbs/context.ts';

export interface PullRequest {
  connectionId: string;
  token: string;
  url: string | null;
  currency: string | null;
  connectedOn: string;
  /** Inclusive. */
  from: string;
  until: string;
  /** `next` of the previous page; null for the first page. */
  cursor: string | null;
  signal: AbortSignal;
}

export interface PulledBalance {
  as_of: string;
  balance_cents: number;
  currency: string;
  source?: string | null | undefined;
}

export interface Rejections {
  count: number;
  first: string | null;
}

export interface ProviderPage {
  balances: readonly PulledBalance[];
  transactions: readonly BankTransactionInput[];
  rejections: Readonly<Rejections>;
  rejectedTransactions: number;
  /** First day from which the provider has all transactions, if it reports one; in UTC. */
  historyFrom: string | null;
  /** Cursor of the next page; null on the last page. */
  next: string | null;
}

/** The message is public and contains nothing from the token or the response. `waitMs` comes from Retry-After. */
export type Pulled =
  | { ok: true; page: ProviderPage }
  | { ok: false; code: string; message: string; waitMs?: number | undefined };

/** Returns the provider's errors as values, and throws for failures of this process. */
export interface Provider {
  takesUrl: boolean;
  pull(outgoing: Pick<Outgoing, 'fetchJson'>, request: PullRequest): Promise<Pulled>;
}
