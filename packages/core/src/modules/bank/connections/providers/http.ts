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
  // Providers name accounts freely, but not by the id of another connection of this service.
  const isOfOtherConnection = ({ connection_id: named }: { connection_id?: string | null | undefined }): boolean =>
    named?.startsWith('conn_') === true && named !== connectionId;
  let seen = 0;
  const eachOf = async (rows: readonly unknown[], read: (row: unknown, i: number) => void): Promise<void> => {
    for (const [i, row] of rows.entries()) {
      read(row, i);
      seen += 1;
      if (seen % ROWS_AT_ONCE === 0) await setImmediate(undefined, { signal });
    }
  };
  await eachOf(page.balances ?? [], (raw, i) => {
    const row = balance.safeParse(raw);
    const known = row.data?.currency ?? currency;
    const inexact = rounded.get(`/balances/${i}/balance_cents`);
    if (!row.success) reject(() => firstErrorMessage(`/balances/${i}`, row.error, raw));
    else if (inexact) reject(() => inexactMessage(inexact));
    else if (isOfOtherConnection(row.data)) reject(() => `/balances/${i}/connection_id names another connection.`);
    else if (known === null) reject(() => `/balances/${i}/currency is required: the connection names none.`);
    else balances.push({ ...row.data, currency: known });
  });
  await eachOf(page.transactions ?? [], (raw, i) => {
    const row = bankTransactionInput.safeParse(raw);
    const inexact = rounded.get(`/transactions/${i}/amount_cents`);
    if (!row.success) reject(() => firstErrorMessage(`/transactions/${i}`, row.error, raw));
    else if (inexact) reject(() => inexactMessage(inexact));
    else if (isOfOtherConnection(row.data)) reject(() => `/transactions/${i}/connection_id names another connection.`);
    else transactions.push(row.data);
  });
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
