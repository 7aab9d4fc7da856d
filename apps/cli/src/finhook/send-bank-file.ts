import { randomUUID } from 'node:crypto';
import { type BankFile, type PlannedRequest, planRequests, type SkippedRow, skippedRowsOf } from '@finhook/bank-files';
import { formatMoney } from '@finhook/contracts/currency';
import { Failure, Refusal } from './failure.ts';
import type { Service } from './http-api.ts';
import { plural } from './output.ts';
import { persist } from './pages.ts';
import type { Session } from './session.ts';

interface Warning {
  code: string;
  message: string;
}

interface TransactionsReply {
  inserted: number;
  failed: number;
  skipped_transactions: Parameters<typeof skippedRowsOf>[1]['skipped_transactions'];
  errors: Parameters<typeof skippedRowsOf>[1]['errors'];
  /** In a dry run. */
  totals?: readonly Flow[];
  warnings: readonly Warning[];
}

interface Flow {
  currency: string;
  in_cents: number | null;
  in_string?: string;
  out_cents: number | null;
  out_string?: string;
}

interface BalanceReply {
  result: 'created' | 'updated' | 'unchanged';
  previous_balance_cents: number | null;
  warnings: readonly Warning[];
}

/** What a request did or, in a dry run, would do. */
export interface Outcome {
  request: PlannedRequest;
  /** Rows or balances. */
  stored: number;
  before: number;
  skipped: number;
  /** The skipped rows; of a dry run, the first hundred. */
  rejected: readonly SkippedRow[];
  /** Sending the request changes something, or lists more of the rejected rows. */
  isOpen: boolean;
  totals: readonly Flow[];
  warnings: readonly Warning[];
}

function transactionsOutcome(
  request: PlannedRequest & { kind: 'transactions' },
  { inserted, failed, skipped_transactions, errors, totals = [], warnings }: TransactionsReply,
): Outcome {
  // What is stored with the same values is no loss.
  const changed = skipped_transactions.filter(({ differs }) => differs.length > 0);
  const skipped = failed + changed.length;
  return {
    request,
    stored: inserted,
    before: request.rows.length - inserted - skipped,
    skipped,
    rejected: skippedRowsOf(request.rows, { skipped_transactions: changed, errors }),
    isOpen: inserted > 0 || failed > new Set(errors.map(({ index }) => index)).size,
    totals,
    warnings,
  };
}

function balanceOutcome(
  request: PlannedRequest & { kind: 'balance' },
  { result, previous_balance_cents: previous, warnings }: BalanceReply,
): Outcome {
  const { as_of, balance_cents, currency } = request.body;
  const message = `the balance of ${as_of}, ${formatMoney(balance_cents, currency)}, replaces ${formatMoney(previous ?? 0, currency)}`;
  return {
    request,
    stored: result === 'unchanged' ? 0 : 1,
    before: result === 'unchanged' ? 1 : 0,
    skipped: 0,
    rejected: [],
    isOpen: result !== 'unchanged',
    totals: [],
    warnings: result === 'updated' ? [{ code: 'balance_replaced', message }, ...warnings] : warnings,
  };
}

/** A service that is gone for longer ends the command, which can be repeated. */
const PATIENCE_MS = 120_000;

const sizeOf = (request: PlannedRequest): number => (request.kind === 'transactions' ? request.rows.length : 1);

/** Sends the requests of a file, one after the other. */
export class FileSender {
  readonly #service: Service;
  readonly #companyId: string;
  readonly #session: Session;
  readonly #runId = randomUUID();

  constructor(service: Service, companyId: string, session: Session) {
    this.#service = service;
    this.#companyId = companyId;
    this.#session = session;
  }

  async dryRun(file: BankFile): Promise<Outcome[]> {
    const requests = await planRequests(file);
    return await this.#each(requests, 'checked', (request) => this.#send(request, true));
  }

  /** Stores what the dry run found new. Its other requests are complete as they are. */
  async store(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const open = outcomes.filter(({ isOpen }) => isOpen).map(({ request }) => request);
    const done = new Map<PlannedRequest, Outcome>();
    try {
      await this.#each(open, 'stored', async (request) => done.set(request, await this.#send(request, false)));
    } catch (error) {
      const rows = [...done.keys()].reduce((sum, request) => sum + sizeOf(request), 0);
      this.#session.output.say(
        `Ended after ${plural(rows, 'row')}. The same command continues, and stores nothing twice.`,
      );
      throw error;
    }
    return outcomes.map((outcome) => done.get(outcome.request) ?? outcome);
  }

  async #each<T>(requests: readonly PlannedRequest[], verb: string, work: (request: PlannedRequest) => Promise<T>) {
    const total = requests.reduce((sum, request) => sum + sizeOf(request), 0);
    const results: T[] = [];
    let done = 0;
    for (const request of requests) {
      results.push(await work(request));
      done += sizeOf(request);
      this.#session.output.progress(verb, done, total);
    }
    return results;
  }

  async #send(request: PlannedRequest, isDryRun: boolean): Promise<Outcome> {
    const { output, signal } = this.#session;
    const dry = { company_id: this.#companyId, ...(isDryRun ? { dry_run: true } : {}) };
    const call = async <T>(operation: string, input: object): Promise<T> => {
      // Of this run only: a later one must not get a response that an earlier one stored.
      const options = { idempotencyKey: `${this.#runId}-${request.idempotencyKey}` };
      return (await this.#service.call<T>(operation, { ...input, ...dry }, options).catch(withoutKey)).body;
    };
    const send = async (): Promise<Outcome> =>
      request.kind === 'balance'
        ? balanceOutcome(request, await call('cash.balances.upsert', request.body))
        : transactionsOutcome(request, await call('bank.transactions.ingest', { ...request.body, on_error: 'skip' }));
    return await persist(send, output, signal, PATIENCE_MS);
  }
}

/** An interrupted call names its key, which a person does not need here: the command repeats it. */
function withoutKey(error: unknown): never {
  if (error instanceof Failure && !(error instanceof Refusal)) error.message = error.message.split('\n')[0] ?? '';
  throw error;
}
