import { isOperation, type Operation, operations } from '@finhook/contracts';
import { type DenialLog, handlers } from '@finhook/core';
import { type Authorize, createAuthorize, noteDenial } from '../auth/authorize.ts';
import { exportColumns } from './export-columns.ts';
import { createListReader, type OpenListOf } from './list-reader.ts';
import { type AnyVerb, createOperationRunner, type OperationRunner } from './operation-runner.ts';

/** An operation with the function that runs it. */
export interface TableEntry {
  operation: Operation;
  /** Throws and logs a 403 unless the caller's key may call it; comes before `run` and before the body is read. */
  authorize: Authorize;
  run: OperationRunner;
  /** Reads a list that pages in pages of any size, for those who want all of it. */
  openList?: OpenListOf;
}

// The pairing of operation and verb was checked by the type of `handlers`; walking the trees loses it.
function asVerb(node: unknown, id: string): AnyVerb {
  if (typeof node !== 'function') throw new Error(`No handler for ${id}.`);
  return node as AnyVerb;
}

function verbAt(path: readonly string[]): AnyVerb {
  let node: unknown = handlers;
  for (const part of path) node = Reflect.get(Object(node), part);
  return asVerb(node, path.join('.'));
}

function collect(tree: object, path: readonly string[], denials: DenialLog): TableEntry[] {
  return Object.entries(tree).flatMap(([name, node]: [string, Operation]) => {
    const here = [...path, name];
    if (!isOperation(node)) return collect(node, here, denials);
    const verb = verbAt(here);
    const openList = exportColumns(node) && { openList: createListReader(node, verb) };
    const run = logDenials(node, createOperationRunner(node, verb), denials);
    return [{ operation: node, authorize: createAuthorize(node, denials), run, ...openList }];
  });
}

/** A verb's own 403 is logged as that of its key's scope is. */
function logDenials(operation: Operation, run: OperationRunner, denials: DenialLog): OperationRunner {
  return (call) =>
    run(call).catch((error: unknown) => {
      noteDenial(denials, operation, call.context, error);
      throw error;
    });
}

/** Every operation with its runner; denied calls are noted in `denials`. */
export function createOperationTable(denials: DenialLog): readonly TableEntry[] {
  return collect(operations, [], denials);
}
