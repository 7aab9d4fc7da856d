import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

type Call = NodeOf<'CallExpression'>;
type Scope = Pick<Call, 'start' | 'end'>;
type Argument = Call['arguments'][number];

/** Functions that add the audit row or the event, or make the rows of a set-based statement. */
const AUDIT = ['audit', 'auditValues', 'recordChange'];
const EMIT = ['emit', 'prepareEvent'];

const problems = {
  literal: 'Write `records` as a literal: this rule compares it with the work.',
  audit: 'This transaction records an audit row, but never reaches audit or recordChange.',
  event: 'This transaction records an event, but never emits: call emit, or give recordChange an event.',
} as const;

/** The value of a property; undefined if the node is not an object that has it. */
function propertyOf(node: Argument | undefined, name: string) {
  if (node?.type !== 'ObjectExpression') return undefined;
  const found = node.properties.find(
    (property) => property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name,
  );
  return found?.type === 'Property' ? found.value : undefined;
}

/** True if a call of `recordChange` has an event. An object that is spread into its change may have one. */
function hasEvent({ arguments: given }: Call): boolean {
  const change = given.at(-1);
  if (change?.type !== 'ObjectExpression') return true;
  return change.properties.some(({ type }) => type === 'SpreadElement') || propertyOf(change, 'event') !== undefined;
}

const contains = (scope: Scope, inner: Scope): boolean => scope.start <= inner.start && inner.end <= scope.end;

/** Names called in the arguments of a call, followed through functions of the same file. */
function reached(call: Call, calls: readonly Call[], functions: ReadonlyMap<string, Scope>): Set<string> {
  const passed = call.arguments.flatMap((node) => (node.type === 'Identifier' ? (functions.get(node.name) ?? []) : []));
  const names = new Set<string>();
  const queue: Scope[] = [call, ...passed];
  for (let scope = queue.pop(); scope !== undefined; scope = queue.pop()) {
    for (const inner of calls) {
      const { callee } = inner;
      if (callee.type !== 'Identifier' || !contains(scope, inner)) continue;
      if (callee.name === 'recordChange' && hasEvent(inner)) names.add('emit');
      if (names.has(callee.name)) continue;
      names.add(callee.name);
      const body = functions.get(callee.name);
      if (body) queue.push(body);
    }
  }
  return names;
}

/**
 * In core's modules, the work of a transaction must reach what its `records` names: `audit` or `recordChange` for
 * `'audit'`, and also `emit` or a `recordChange` with an event for `'audit and event'`. The types only prevent more than
 * that. It does not prove that every path records, and does not follow functions of other files: disable it for these.
 */
export const transactionRecords: Rule = {
  create(context) {
    const path = pathInRepository(context);
    if (!path.startsWith('packages/core/src/modules/') || isTestPath(path)) return {};
    const calls: Call[] = [];
    const functions = new Map<string, Scope>();
    const problemsOf = (call: Call): (keyof typeof problems)[] => {
      const records = propertyOf(call.arguments[1], 'records');
      const value = records?.type === 'Literal' ? records.value : undefined;
      if (value === 'nothing') return [];
      if (value !== 'audit' && value !== 'audit and event') return ['literal'];
      const names = reached(call, calls, functions);
      const lacks = (known: readonly string[]): boolean => !known.some((name) => names.has(name));
      return [
        ...(lacks(AUDIT) ? (['audit'] as const) : []),
        ...(value === 'audit and event' && lacks(EMIT) ? (['event'] as const) : []),
      ];
    };
    return {
      CallExpression: (node) => void calls.push(node),
      FunctionDeclaration: (node) => void (node.id && functions.set(node.id.name, node)),
      VariableDeclarator: (node) =>
        void (node.id.type === 'Identifier' && node.init && functions.set(node.id.name, node.init)),
      'Program:exit': () => {
        for (const call of calls) {
          if (call.callee.type !== 'Identifier' || call.callee.name !== 'transaction') continue;
          for (const problem of problemsOf(call)) context.report({ node: call, message: problems[problem] });
        }
      },
    };
  },
};
