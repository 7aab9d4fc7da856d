import { isOperation, type Operation, operations } from '@finhook/contracts';
import { handlers } from './handlers.ts';
import { type AnyVerb, createOperationRunner, type OperationRunner } from './operation-runner.ts';

/** An operation with the function that runs it. */
export interface TableEntry {
  operation: Operation;
  run: OperationRunner;
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

function collect(tree: object, path: readonly string[]): TableEntry[] {
  return Object.entries(tree).flatMap(([name, node]: [string, Operation]) => {
    const here = [...path, name];
    if (!isOperation(node)) return collect(node, here);
    if (node.id !== here.join('.')) throw new Error(`Operation ${node.id} stands at ${here.join('.')}.`);
    return [{ operation: node, run: createOperationRunner(node, verbAt(here)) }];
  });
}

/** Every operation with its runner. */
export function createOperationTable(): readonly TableEntry[] {
  return collect(operations, []);
}
