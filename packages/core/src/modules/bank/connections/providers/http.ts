import { setImmediate } from 'node:timers/promises';
import {
  type BankTransactionInput,
  bankTransactionInput,
  cashBalanceInput,
  currencyInput,
  type FieldError,
  localDate,
  optional,
  text,
} from '@finhook/contracts';
import { z } from 'zod';
import { isRegistered } from '../../../../ids/connection-id.ts';
import { toFieldErrors, withoutSecret } from '../../../../input/field-errors.ts';
import { parseLongJson } from '../../../../input/parse-json.ts';
import { DomainError } from '../../../../verbs/domain-error.ts';
import type { Provider, ProviderPage, Pulled, PulledBalance, PullRequest, Rejections } from './provider.ts';

const MAX_CURSOR = 4096;
const MAX_ROWS = 5_000;
/** Rows processed before yielding to other work: a few milliseconds. */
const ROWS_AT_ONCE = 500;

/** Wait after a 429 without Retry-After: most limits are per minute. */
const WAIT_MS = 60_000;

const envelope = z.object({
  balances: optional(z.array(z.unknown())),
  transactions: optional(z.array(z.unknown())),
  next_cursor: optional(text(0, MAX_CURSOR)),
  history_from: optional(localDate),
});
const balance = z.object({ ...cashBalanceInput, currency: optional(currencyInput) });

/**
 * Pulls this service's ingest rows with `GET <url>?from=…&until=…[&cursor=…]` and the token as bearer. The response is
 * `{balances?, transactions?, next_cursor?, history_from?}` with at most 5 000 rows.
 */
export const http: Provider = {
  takesUrl: true,
  async pull({ fetchJson }, request) {
    const { url, token, signal } = request;
    if (url === null) return invalid('The connection has no url.');
    const result = await fetchJson({ url: addressOf(url, request), token, signal });
    if (!result.ok) {
      const waitMs = result.retryAfterMs ?? (result.statusCode === 429 ? WAIT_MS : undefined);
      return { ok: false, code: codeOf(result), message: sentenceOf(result), waitMs };
    }
    const response = await parseResponse(result.text, signal);
    if (typeof response === 'string') return invalid(response);
    const { value, rounded } = response;
    const rows = countRows(value);
    if (rows > MAX_ROWS) return invalid(`The answer has ${rows} rows: send at most ${MAX_ROWS} in a page.`);
    const page = envelope.safeParse(value);
    if (!page.success) {
      return invalid(
        'The answer is no object with balances and transactions as arrays, next_cursor as text and history_from as a day.',
      );
    }
    const next = page.data.next_cursor || null;
    if (next !== null && next === request.cursor) return invalid('The answer names its own cursor as the next one.');
    const historyFrom = page.data.history_from ?? null;
    return { ok: true, page: { ...(await readRows(page.data, rounded, request)), historyFrom, next } };
  },
};

function addressOf(url: string, { from, until, cursor }: PullRequest): string {
  const query = new URLSearchParams({ from, until, ...(cursor === null ? {} : { cursor }) });
  return `${url}?${query.toString()}`;
}

interface ParsedResponse {
  value: unknown;
  rounded: ReadonlyMap<string, FieldError>;
}

/** Parses a response as strictly as a request body; the error quotes nothing from it. */
async function parseResponse(sent: string, signal: AbortSignal): Promise<ParsedResponse | string> {
  try {
    const { value, inexact } = await parseLongJson(sent, { signal, anyWidth: true });
    const rounded = new Map(inexact.map((error) => [error.pointer, error]));
    const tooMany = rounded.get('');
    return tooMany ? `The answer ${tooMany.message}.` : { value, rounded };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'duplicate_json_key') return 'The answer has a key twice in one object.';
    return 'The answer is not valid JSON, or nested too deep.';
  }
}

function countRows(page: unknown): number {
  const length = (rows: unknown): number => (Array.isArray(rows) ? rows.length : 0);
  return length(Reflect.get(Object(page), 'balances')) + length(Reflect.get(Object(page), 'transactions'));
}

async function readRows(
  page: z.output<typeof envelope>,
  rounded: ParsedResponse['rounded'],
  { connectionId, currency, signal }: PullRequest,
): Promise<Omit<ProviderPage, 'historyFrom' | 'next'>> {
  const balances: PulledBalance[] = [];
  const transactions: BankTransactionInput[] = [];
  const rejections: Rejections = { count: 0, first: null };
  const reject = (sentence: () => string): void => {
    rejections.count += 1;
    rejections.first ??= sentence();
  };
  let count = 0;
  const readAll = async <T extends { connection_id?: string | null | undefined }>(
    list: 'balances' | 'transactions',
    schema: z.ZodType<T>,
    amountField: string,
    add: (row: T, pointer: string) => void,
  ): Promise<void> => {
    for (const [i, raw] of (page[list] ?? []).entries()) {
      const pointer = `/${list}/${i}`;
      const row = schema.safeParse(raw);
      const inexact = rounded.get(`${pointer}/${amountField}`);
      // Providers name accounts freely, but not by the id of another connection of this service.
      const named = row.data?.connection_id ?? connectionId;
      if (!row.success) reject(() => firstErrorMessage(pointer, row.error, raw));
      else if (inexact) reject(() => inexactMessage(inexact));
      else if (isRegistered(named) && named !== connectionId)
        reject(() => `${pointer}/connection_id names another connection.`);
      else add(row.data, pointer);
      count += 1;
      if (count % ROWS_AT_ONCE === 0) await setImmediate(undefined, { signal });
    }
  };
  await readAll('balances', balance, 'balance_cents', (row, pointer) => {
    const known = row.currency ?? currency;
    if (known === null) reject(() => `${pointer}/currency is required: the connection names none.`);
    else balances.push({ ...row, currency: known });
  });
  await readAll('transactions', bankTransactionInput, 'amount_cents', (row) => transactions.push(row));
  const rejectedTransactions = (page.transactions?.length ?? 0) - transactions.length;
  return { balances, transactions, rejections, rejectedTransactions };
}

/** Without the provider's data (see `Pulled`). */
function firstErrorMessage(pointer: string, { issues }: z.ZodError, raw: unknown): string {
  const [error] = toFieldErrors(issues.slice(0, 1), raw, () => true);
  return `${pointer}${error?.pointer ?? ''} ${error?.message ?? 'is invalid'}.`;
}

function inexactMessage(error: FieldError): string {
  return `${error.pointer} ${withoutSecret(error, () => true).message}.`;
}

function invalid(message: string): Pulled {
  return { ok: false, code: 'provider_answer_invalid', message };
}

interface FailedFetch {
  error: string;
  statusCode?: number;
  message: string;
}

function codeOf({ error, statusCode = 0 }: FailedFetch): string {
  if (error === 'blocked_address') return 'provider_address_blocked';
  if (statusCode === 401 || statusCode === 403) return 'provider_unauthorized';
  if (error === 'too_large' || error === 'not_text') return 'provider_answer_invalid';
  if (error === 'status' && statusCode < 500 && statusCode !== 429) return 'provider_answer_invalid';
  return 'provider_unavailable';
}

function sentenceOf(failure: FailedFetch): string {
  if (codeOf(failure) !== 'provider_unauthorized') return failure.message;
  return `The provider rejected the token (${failure.statusCode}). Store a valid one and sync again.`;
}
