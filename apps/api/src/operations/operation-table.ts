import { isOperation, type Operation, operations } from '@finhook/contracts';
import { type Context, type DenialLog, handlers } from '@finhook/core';
import { exportColumns } from './list-exports.ts';
import { createInputParser, type InputParser } from './parse-input.ts';

/** The types of the verb are checked in the table of handlers. */
type AnyVerb = (context: Context, input: unknown) => Promise<unknown>;

export interface TableEntry {
  operation: Operation;
  parse: InputParser;
  verb: AnyVerb;
  denials: DenialLog;
}

export function createOperationTable(denials: DenialLog, tree: object = operations): readonly TableEntry[] {
  return collect(tree, []).map(({ operation, verb }) => ({
    operation,
    parse: createInputParser(operation),
    verb: readsFromReplica(operation) ? onReplica(verb) : verb,
    denials,
  }));
}

function collect(tree: object, path: readonly string[]): { operation: Operation; verb: AnyVerb }[] {
  return Object.entries(tree).flatMap(([name, node]: [string, Operation]) => {
    const here = [...path, name];
    return isOperation(node) ? [{ operation: node, verb: verbAt(here) }] : collect(node, here);
  });
}

function verbAt(path: readonly string[]): AnyVerb {
  let node: unknown = handlers;
  for (const part of path) node = Reflect.get(Object(node), part);
  return asVerb(node, path.join('.'));
}

// Walking the tree of handlers loses their types.
function asVerb(node: unknown, id: string): AnyVerb {
  if (typeof node !== 'function') throw new Error(`No handler for ${id}.`);
  return node as AnyVerb;
}

/** Lists and figures. Writes need the newest rows, and so does the feed. */
function readsFromReplica(operation: Operation): boolean {
  return operation.replica ?? exportColumns(operation) !== undefined;
}

function onReplica(verb: AnyVerb): AnyVerb {
  return async (context, input) => {
    const { forReading } = context.database;
    return verb(forReading === undefined ? context : { ...context, database: await forReading() }, input);
  };
}
