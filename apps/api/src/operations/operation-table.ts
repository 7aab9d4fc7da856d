import { isOperation, type Operation, operations } from '@finhook/contracts';
import { type DenialLog, handlers } from '@finhook/core';
import { type Authorize, createAuthorize, noteDenial } from '../auth/authorize.ts';
import { createListReader, exportColumns, type OpenListOf } from './list-exports.ts';
import { type AnyVerb, createOperationRunner, type OperationRunner } from './operation-runner.ts';

export interface TableEntry {
  operation: Operation;
  /** Throws and logs a 403 if the key may not call the operation. Runs before the body is read. */
  authorize: Authorize;
  run: OperationRunner;
  openList?: OpenListOf;
}

// The type of `handlers` pairs operations with verbs; walking the trees loses it.
function asVerb(node: unknown, id: string): AnyVerb {
  if (typeof node !== 'function') throw new Error(`No handler for ${id}.`);
  return node as AnyVerb;
}

function verbAt(path: readonly string[]): AnyVerb {
  let node: unknown = handlers;
  for (const part of path) node = Reflect.get(Object(node), part);
  return asVerb(node, path.join('.'));
}

/** Lists and figures. A verb decides on what is stored now, and so do authentication, idempotency and the feed. */
function readsFromReplica(operation: Operation): boolean {
  return operation.replica ?? exportColumns(operation) !== undefined;
}

function onReplica(verb: AnyVerb): AnyVerb {
  return async (context, input) => {
    const { forReading } = context.database;
    return verb(forReading === undefined ? context : { ...context, database: await forReading() }, input);
  };
}

function collect(tree: object, path: readonly string[], denials: DenialLog): TableEntry[] {
  return Object.entries(tree).flatMap(([name, node]: [string, Operation]) => {
    const here = [...path, name];
    if (!isOperation(node)) return collect(node, here, denials);
    const verb = readsFromReplica(node) ? onReplica(verbAt(here)) : verbAt(here);
    const openList = exportColumns(node) && { openList: createListReader(node, verb) };
    const run = logDenials(node, createOperationRunner(node, verb), denials);
    return [{ operation: node, authorize: createAuthorize(node, denials), run, ...openList }];
  });
}

function logDenials(operation: Operation, run: OperationRunner, denials: DenialLog): OperationRunner {
  return (call) =>
    run(call).catch((error: unknown) => {
      noteDenial(denials, operation, call.context, error);
      throw error;
    });
}

export function createOperationTable(denials: DenialLog, tree: object = operations): readonly TableEntry[] {
  return collect(tree, [], denials);
}
