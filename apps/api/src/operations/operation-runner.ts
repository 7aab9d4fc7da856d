import type { FieldError, Operation, Problem, Warning } from '@finhook/contracts';
import {
  assertIdempotencyKey,
  beginIdempotent,
  type Context,
  errorOfCommit,
  type Idempotency,
  pathOf,
} from '@finhook/core';
import { ReplayedProblem, toDomainError, toProblem } from '../http/problem.ts';
import { shapeOf, unknownParameter } from './input-schema.ts';
import { createInputParser, withUnknownFields } from './parse-input.ts';

/** One call of an operation, whatever surface it came through. */
interface OperationCall {
  raw: unknown;
  /** Number literals that parsing had to round. */
  inexact: readonly FieldError[];
  /** What the surface found in the request that is no part of the input. */
  warnings?: readonly Warning[];
  context: Context;
  path: string;
  idempotencyKey: string | undefined;
  /** What makes two calls with one Idempotency-Key the same request. */
  fingerprint: readonly (string | Uint8Array)[];
}

interface OperationResult {
  output: unknown;
  /** Whether this is the stored answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
}

/** Runs one operation: check the Idempotency-Key's form, validate, claim the key, call the verb. */
export type OperationRunner = (call: OperationCall) => Promise<OperationResult>;

/** A verb whose input and output types were checked where it was put into the table of handlers. */
export type AnyVerb = (context: Context, input: unknown) => Promise<unknown>;

export function createOperationRunner(operation: Operation, verb: AnyVerb): OperationRunner {
  const parse = createInputParser(operation);
  return async (call) => {
    const key = operation.kind === 'query' ? undefined : call.idempotencyKey;
    // Before the input is checked: what carries a bad key is refused for that, also where its fields are wrong.
    if (key !== undefined) assertIdempotencyKey(key);
    const { input, warnings, rows } = parse(call.raw, call.inexact);
    if (operation.http.method === 'GET') rejectUnknown(operation, warnings);
    const context: Context = rows ? { ...call.context, rows } : call.context;
    const run = (given: Context): Promise<unknown> =>
      verb(given, input).catch((error: unknown) => {
        throw withUnknownFields(error, warnings);
      });
    const finish = (output: unknown): unknown => withWarnings(output, [...(call.warnings ?? []), ...warnings]);
    if (key === undefined) {
      return { output: finish(await run(context)), replayed: false };
    }
    const begun = await beginIdempotent(context, {
      accountId: context.accountId,
      key,
      fingerprint: [operation.id, ...call.fingerprint, ...heirsOf(operation, context)],
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

/** A filter that is ignored gives wrong data, whatever surface it came through. */
function rejectUnknown(operation: Operation, [first]: readonly Warning[]): void {
  if (first) throw unknownParameter(pathOf(first.pointer ?? '').join('.'), Object.keys(shapeOf(operation)));
}

/**
 * What else makes a call the same. A replay is answered without the verb that would judge its caller: so a secret is told
 * again to the key that it was told to and no other, and a key that reaches only some companies gets its own answers only.
 */
function heirsOf({ secretOutput = false }: Operation, { access, keyId }: Context): string[] {
  return secretOutput || access.companyIds !== undefined ? [keyId] : [];
}

// The document was made by `toProblem` and stored by `refuse`.
function storedProblem(problem: unknown): Problem {
  return problem as Problem;
}

/** Stores the outcome under the key: the output (unless the verb's transaction did), or a 409; anything else frees it. */
async function runOnce(run: Idempotency, call: OperationCall, verb: () => Promise<unknown>): Promise<unknown> {
  const { database } = call.context;
  try {
    const output = await verb();
    if (!run.completed) await run.complete(database, output).catch(rejectStored);
    return output;
  } catch (error) {
    const refusal = toDomainError(error);
    // The key is freed by its lease when even this fails; the first error is the one to tell.
    const settled =
      refusal.status === 409
        ? run.refuse(database, 409, toProblem(refusal, { id: call.context.request.id, path: call.path }))
        : run.release(database);
    await settled.catch(() => undefined);
    throw error;
  }
}

/** The verb has stored what it stores. */
function rejectStored(error: unknown): never {
  throw errorOfCommit(error);
}

function withWarnings(output: unknown, warnings: readonly Warning[]): unknown {
  if (warnings.length === 0 || typeof output !== 'object' || output === null) return output;
  const value: unknown = Reflect.get(output, 'warnings');
  const own: readonly unknown[] = Array.isArray(value) ? value : [];
  return { ...output, warnings: [...own, ...warnings] };
}
