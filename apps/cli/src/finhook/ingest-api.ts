import type { BalanceReply, ImportApi, ImportFault, IngestReply, StoredRow } from '@finhook/bank-files';
import { reasonOf } from '../reason-of.ts';
import { Failure, Rejected } from './failure.ts';
import type { Service } from './http-api.ts';
import { isTemporary, type Page } from './pages.ts';

export function createImportApi(service: Service): ImportApi {
  const call = async <T>(operation: string, input: object, idempotencyKey?: string): Promise<T> => {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    return (await service.call<T>(operation, { ...input }, options).catch(withoutKey)).body;
  };
  return {
    ingest: (input, key) => call<IngestReply>('bank.transactions.ingest', input, key),
    upsert: (input, key) => call<BalanceReply>('cash.balances.upsert', input, key),
    list: (input) =>
      service.call<Page<StoredRow>>('bank.transactions.list', { ...input }).then(({ body }) => body, emptyIfUnread),
    explain,
  };
}

/** Keys of scope `ingest` have no read permission. */
function emptyIfUnread(error: unknown): Page<StoredRow> {
  if (error instanceof Rejected && error.status === 403) return { data: [], has_more: false, next_cursor: null };
  throw error;
}

/** Removes the key from the message, because the command repeats the call. */
function withoutKey(error: unknown): never {
  if (error instanceof Failure && !(error instanceof Rejected)) error.message = error.message.split('\n')[0] ?? '';
  throw error;
}

function explain(error: unknown): ImportFault {
  const message = reasonOf(error);
  const fault = { message, isTemporary: isTemporary(error) };
  if (!(error instanceof Rejected)) return fault;
  const { errors = [], detail, title } = error.problem;
  const texts = errors.map((each) => `${each.pointer.slice(1)} ${each.message}`);
  const reason = texts.join('; ') || (detail ?? title ?? message);
  return { ...fault, status: error.status, reason, waitMs: (error.retryAfter ?? 0) * 1_000 };
}
