import { createHash } from 'node:crypto';
import { type FieldError, isRecord, type Operation, type Problem, type Warning } from '@finhook/contracts';
import {
  assertIdempotencyKey,
  beginIdempotent,
  type Context,
  errorOfCommit,
  type Idempotency,
  pathOf,
} from '@finhook/core';
import { maskText } from '@finhook/runtime';
import { authorize, noteDenial } from '../auth/authorize.ts';
import { problemOf, ReplayedProblem, toDomainError } from '../http/problem.ts';
import { inputFields, unknownParameter } from './input-schema.ts';
import type { TableEntry } from './operation-table.ts';
import { withUnknownFields } from './parse-input.ts';

export interface OperationInput {
  value: unknown;
  inexact: readonly FieldError[];
  /** Warnings about parts of the request outside of `value`. */
  warnings?: readonly Warning[];
  /** Two calls with one Idempotency-Key are the same request if these are equal. */
  fingerprint: () => readonly (string | Uint8Array)[];
}

export interface OperationCaller {
  context: Context;
  path: string;
  idempotencyKey: string | undefined;
  onReplay: () => void;
}

/** The way into an operation for every protocol: access, input, validation, idempotency, verb. Returns the output. */
export async function invoke(
  entry: TableEntry,
  readInput: () => OperationInput,
  caller: OperationCaller,
): Promise<unknown> {
  const { operation, denials } = entry;
  authorize(operation, caller.context, denials);
  const input = readInput();
  try {
    return await run(entry, input, caller);
  } catch (error) {
    noteDenial(denials, operation, caller.context, error);
    throw error;
  }
}

async function run({ operation, parse, verb }: TableEntry, sent: OperationInput, caller: OperationCaller) {
  const key = operation.kind === 'query' ? undefined : caller.idempotencyKey;
  // An invalid key is reported before invalid input.
  if (key !== undefined) assertIdempotencyKey(key);
  const { input, warnings, rows } = parse(sent.value, sent.inexact);
  if (operation.http.method === 'GET') rejectUnknown(operation, warnings);
  const context: Context = rows ? { ...caller.context, rows } : caller.context;
  const runVerb = (given: Context): Promise<unknown> =>
    verb(given, input).catch((error: unknown) => {
      throw withUnknownFields(error, warnings);
    });
  const finish = (output: unknown): unknown => withWarnings(output, [...(sent.warnings ?? []), ...warnings]);
  // A repeated dry run may see other rows.
  const isDryRun = isRecord(input) && input['dry_run'] === true;
  if (key === undefined || isDryRun) return finish(await runVerb(context));
  const begun = await beginIdempotent(context, {
    key: storableKey(key),
    fingerprint: [operation.id, ...sent.fingerprint()],
    isForKeyOnly: isForKeyOnly(operation, context),
    secret: operation.secretOutput ?? false,
  });
  if ('run' in begun) {
    return finish(await runOnce(begun.run, caller, () => runVerb({ ...context, idempotency: begun.run })));
  }
  caller.onReplay();
  if (begun.replay.ok) return finish(begun.replay.output);
  throw new ReplayedProblem(storedProblem(begun.replay.problem));
}

/** Stores no secret that was sent as a key. */
function storableKey(key: string): string {
  return maskText(key) === key ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** An ignored filter would return wrong data. */
function rejectUnknown(operation: Operation, [first]: readonly Warning[]): void {
  if (first)
    throw unknownParameter(
      pathOf(first.pointer ?? '').join('.'),
      inputFields(operation).map(({ name }) => name),
    );
}

/** Version 0.2.0 replays to all keys of an account without access checks, so it must not know these. */
function isForKeyOnly({ secretOutput = false }: Operation, { access }: Context): boolean {
  return secretOutput || access.companyIds !== undefined || access.ingest !== undefined;
}

function storedProblem(problem: unknown): Problem {
  return problem as Problem;
}

/** Stores the output, unless the transaction of the verb did, or a 409. Other errors release the key. */
async function runOnce(key: Idempotency, caller: OperationCaller, verb: () => Promise<unknown>): Promise<unknown> {
  const { database, request } = caller.context;
  try {
    const output = await verb();
    if (!key.completed) await key.complete(database, output).catch(rejectStored);
    return output;
  } catch (error) {
    const settled =
      toDomainError(error).status === 409
        ? key.reject(database, 409, problemOf(error, { id: request.id, path: caller.path }))
        : key.release(database);
    // If the 409 can't be stored, a repetition runs the verb again.
    await settled.catch(() => key.release(database));
    throw error;
  }
}

/** The verb has committed already. */
function rejectStored(error: unknown): never {
  throw errorOfCommit(error);
}

function withWarnings(output: unknown, warnings: readonly Warning[]): unknown {
  if (warnings.length === 0 || typeof output !== 'object' || output === null) return output;
  const value: unknown = Reflect.get(output, 'warnings');
  const own: readonly unknown[] = Array.isArray(value) ? value : [];
  return { ...output, warnings: [...own, ...warnings] };
}
