import { createHash } from 'node:crypto';
import type { FieldError, Operation, Problem, Warning } from '@finhook/contracts';
import {
  assertIdempotencyKey,
  beginIdempotent,
  type Context,
  errorOfCommit,
  type Idempotency,
  pathOf,
} from '@finhook/core';
import { maskText } from '@finhook/runtime';
import { ReplayedProblem, toDomainError, toProblem } from '../http/problem.ts';
import { isRecord } from '../http/read-body.ts';
import { shapeOf, unknownParameter } from './input-schema.ts';
import { createInputParser, withUnknownFields } from './parse-input.ts';

interface OperationCall {
  raw: unknown;
  /** Number literals that parsing had to round. */
  inexact: readonly FieldError[];
  /** Warnings of the REST or tRPC adapter about parts of the request outside of the input. */
  warnings?: readonly Warning[];
  context: Context;
  path: string;
  idempotencyKey: string | undefined;
  /** Two calls with one Idempotency-Key are the same request if these are equal. */
  fingerprint: readonly (string | Uint8Array)[];
}

interface OperationResult {
  output: unknown;
  /** True if this is the stored response of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
}

export type OperationRunner = (call: OperationCall) => Promise<OperationResult>;

/** A verb whose input and output types were checked where it was put into the table of handlers. */
export type AnyVerb = (context: Context, input: unknown) => Promise<unknown>;

export function createOperationRunner(operation: Operation, verb: AnyVerb): OperationRunner {
  const parse = createInputParser(operation);
  return async (call) => {
    const key = operation.kind === 'query' ? undefined : call.idempotencyKey;
    // Before validation: an invalid key is reported first.
    if (key !== undefined) assertIdempotencyKey(key);
    const { input, warnings, rows } = parse(call.raw, call.inexact);
    if (operation.http.method === 'GET') rejectUnknown(operation, warnings);
    const context: Context = rows ? { ...call.context, rows } : call.context;
    const run = (given: Context): Promise<unknown> =>
      verb(given, input).catch((error: unknown) => {
        throw withUnknownFields(error, warnings);
      });
    const finish = (output: unknown): unknown => withWarnings(output, [...(call.warnings ?? []), ...warnings]);
    if (key === undefined || isDryRun(input)) {
      return { output: finish(await run(context)), replayed: false };
    }
    const begun = await beginIdempotent(context, {
      key: withoutSecret(key),
      fingerprint: [operation.id, ...call.fingerprint],
      isForKeyOnly: isForKeyOnly(operation, context),
      secret: operation.secretOutput ?? false,
    });
    if ('replay' in begun) {
      if (begun.replay.ok) return { output: finish(begun.replay.output), replayed: true };
      throw new ReplayedProblem(storedProblem(begun.replay.problem));
    }
    const output = await runOnce(begun.run, call, () => run({ ...context, idempotency: begun.run }));
    return { output: finish(output), replayed: false };
  };
}

/** Nothing happens, so nothing must be remembered: a repetition may see other rows. */
function isDryRun(input: unknown): boolean {
  return isRecord(input) && input['dry_run'] === true;
}

/** A key with a secret in it is stored as its digest, so that the secret is not stored. */
function withoutSecret(key: string): string {
  return maskText(key) === key ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** An ignored filter would return wrong data. */
function rejectUnknown(operation: Operation, [first]: readonly Warning[]): void {
  if (first) throw unknownParameter(pathOf(first.pointer ?? '').join('.'), Object.keys(shapeOf(operation)));
}

/**
 * A replay returns the stored response without the verb's access checks. So a process of 0.2.0, where an account's keys
 * share their Idempotency-Keys, must not replay responses with a secret, of ingest keys and of restricted keys to others.
 */
function isForKeyOnly({ secretOutput = false }: Operation, { access }: Context): boolean {
  return secretOutput || access.companyIds !== undefined || access.ingest !== undefined;
}

function storedProblem(problem: unknown): Problem {
  return problem as Problem;
}

/** Stores the output (unless the verb's transaction did) or a 409 under the key; any other error releases the key. */
async function runOnce(run: Idempotency, call: OperationCall, verb: () => Promise<unknown>): Promise<unknown> {
  const { database } = call.context;
  try {
    const output = await verb();
    if (!run.completed) await run.complete(database, output).catch(rejectStored);
    return output;
  } catch (error) {
    const rejection = toDomainError(error);
    const settled =
      rejection.status === 409
        ? run.reject(database, 409, toProblem(rejection, { id: call.context.request.id, path: call.path }))
        : run.release(database);
    // A 409 that can't be stored is found again by the repetition.
    await settled.catch(() => run.release(database));
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
