import { bankTransactionInput, cashBalanceInput, currencyInput, optional, text } from '@finhook/contracts';
import { z } from 'zod';
import { toFieldErrors } from '../../../kernel/field-errors.ts';
import type { Provider, ProviderPage, Pulled, PulledBalance, PullRequest } from './provider.ts';

const MAX_CURSOR = 4096;

/** A page as the provider writes it, before its rows are looked at. */
const envelope = z.object({
  balances: optional(z.array(z.unknown())),
  transactions: optional(z.array(z.unknown())),
  next_cursor: optional(text(1, MAX_CURSOR)),
});
const balance = z.object({ ...cashBalanceInput, currency: optional(currencyInput) });

/**
 * Pulls pages of this service's own ingest rows from the connection's url: `GET <url>?from=…&until=…[&cursor=…]` with
 * the token as bearer, answered by `{balances?, transactions?, next_cursor?}`.
 */
export const http: Provider = {
  takesUrl: true,
  async pull({ fetchJson }, request) {
    const { url, token, signal } = request;
    if (url === null) return invalid('The connection has no url.');
    const result = await fetchJson({ url: addressOf(url, request), token, signal });
    if (!result.ok) return { ok: false, code: codeOf(result), message: sentenceOf(result) };
    const page = envelope.safeParse(result.value);
    if (!page.success) {
      return invalid('The answer is no object with balances and transactions as arrays and next_cursor as text.');
    }
    const next = page.data.next_cursor ?? null;
    if (next !== null && next === request.cursor) return invalid('The answer names its own cursor as the next one.');
    return { ok: true, page: { ...readRows(page.data, request.currency), next } };
  },
};

function addressOf(url: string, { from, until, cursor }: PullRequest): string {
  const query = new URLSearchParams({ from, until, ...(cursor === null ? {} : { cursor }) });
  return `${url}?${query.toString()}`;
}

function readRows(page: z.output<typeof envelope>, currency: string | null): Omit<ProviderPage, 'next'> {
  const refusals: string[] = [];
  const balances: PulledBalance[] = [];
  page.balances?.forEach((raw, i) => {
    const row = balance.safeParse(raw);
    if (!row.success) return refusals.push(firstFault(`/balances/${i}`, row.error, raw));
    const known = row.data.currency ?? currency;
    if (known === null) return refusals.push(`/balances/${i}/currency is required: the connection names none.`);
    return balances.push({ ...row.data, currency: known });
  });
  const transactions = (page.transactions ?? []).flatMap((raw, i) => {
    const row = bankTransactionInput.safeParse(raw);
    if (row.success) return [row.data];
    refusals.push(firstFault(`/transactions/${i}`, row.error, raw));
    return [];
  });
  const refusedTransactions = (page.transactions?.length ?? 0) - transactions.length;
  return { balances, transactions, refusals, refusedTransactions };
}

/** Where and why a row is refused, without what the provider sent: that is not told (`Pulled`). */
function firstFault(place: string, { issues }: z.ZodError, raw: unknown): string {
  const [fault] = toFieldErrors(issues.slice(0, 1), raw, () => true);
  return `${place}${fault?.pointer ?? ''} ${fault?.message ?? 'is invalid'}.`;
}

function invalid(message: string): Pulled {
  return { ok: false, code: 'provider_answer_invalid', message };
}

interface Refusal {
  fault: string;
  statusCode?: number;
  message: string;
}

function codeOf({ fault, statusCode = 0 }: Refusal): string {
  if (fault === 'blocked_address') return 'provider_address_blocked';
  if (statusCode === 401 || statusCode === 403) return 'provider_unauthorized';
  if (fault === 'too_large' || fault === 'not_json') return 'provider_answer_invalid';
  if (fault === 'status' && statusCode < 500 && statusCode !== 429) return 'provider_answer_invalid';
  return 'provider_unavailable';
}

function sentenceOf(refusal: Refusal): string {
  if (codeOf(refusal) !== 'provider_unauthorized') return refusal.message;
  return `The provider refused the token (${refusal.statusCode}). Store a valid one and sync again.`;
}
