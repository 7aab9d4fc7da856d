import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

/** Functions that write the audit row or the event, or make the rows of a set-based statement. */
const AUDIT = ['audit', 'auditValues'];
const EMIT = ['emit', 'prepareEvent'];
/** Writes the audit row, and emits its `event`. */
const BOTH = 'recordChange';
/** Calls that bypass outbox/transaction.ts, which wakes endpoints and stores the response of an Idempotency-Key. */
const BYPASS = ['transaction', 'transactional', 'begin'];
const OPERATION = /typeof operations\.([\w.]+)/g;
/** A comment counts inside the call or at most this many lines above it. */
const COMMENT_LINES = 3;

type Call = NodeOf<'CallExpression'>;
type Scope = Pick<Call, 'start' | 'end'>;

/** True if a call of `recordChange` has an event. An object that is spread into its change may have one. */
function hasEvent({ arguments: given }: Call): boolean {
  const change = given.at(-1);
  if (change?.type !== 'ObjectExpression') return true;
  return change.properties.some(
    (property) =>
      property.type === 'SpreadElement' || (property.key.type === 'Identifier' && property.key.name === 'event'),
  );
}

function contains(scope: Scope, inner: Scope): boolean {
  return scope.start <= inner.start && inner.end <= scope.end;
}

/** Names called in the arguments of a call, followed through functions of the same file. */
function reached(call: Call, calls: readonly Call[], functions: ReadonlyMap<string, Scope>): Set<string> {
  const passed = call.arguments.flatMap((node) => (node.type === 'Identifier' ? (functions.get(node.name) ?? []) : []));
  const names = new Set<string>();
  const queue: Scope[] = [call, ...passed];
  for (let scope = queue.pop(); scope !== undefined; scope = queue.pop()) {
    for (const inner of calls) {
      const { callee } = inner;
      if (callee.type !== 'Identifier' || !contains(scope, inner)) continue;
      if (callee.name === BOTH) names.add('audit').add(hasEvent(inner) ? 'emit' : 'audit');
      if (names.has(callee.name)) continue;
      names.add(callee.name);
      const body = functions.get(callee.name);
      if (body) queue.push(body);
    }
  }
  return names;
}

/**
 * In core's modules a function that opens a transaction must reach `audit` or `recordChange` within it, and also `emit` or a
 * `recordChange` with an event where its operation (`typeof operations.x.y`) lists events; a file without an operation
 * needs both. An exception is a comment at the transaction with its reason: `// no audit here: …` or `// no event here: …`.
 *
 * It does not prove that every path audits, that the row or event is right, or anything about functions of other files and
 * about statements outside of a transaction.
 * @param emitting ids of the operations whose contract lists events.
 */
export function transactionAudits(emitting: ReadonlySet<string>): Rule {
  return {
    create(context) {
      const path = pathInRepository(context);
      const calls: Call[] = [];
      const functions = new Map<string, Scope>();
      const excused = (call: Call, word: 'audit' | 'event'): boolean =>
        context.sourceCode
          .getAllComments()
          .some(
            ({ value, loc, end }) =>
              new RegExp(`^\\s*no ${word} here: \\S+ \\S`).test(value) &&
              loc.end.line >= call.loc.start.line - COMMENT_LINES &&
              end <= call.end,
          );
      const needsEvent = (): boolean => {
        const operations = [...context.sourceCode.text.matchAll(OPERATION)].map(([, id]) => id ?? '');
        return operations.length === 0 || operations.some((id) => emitting.has(id));
      };
      const check = (call: Call): void => {
        const { callee } = call;
        if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
          if (!BYPASS.includes(callee.property.name)) return;
          context.report({
            node: call,
            message: 'Open transactions with outbox/transaction.ts: it wakes endpoints and stores responses.',
          });
        }
        if (callee.type !== 'Identifier' || callee.name !== 'transaction') return;
        const names = reached(call, calls, functions);
        if (!AUDIT.some((name) => names.has(name)) && !excused(call, 'audit')) {
          context.report({
            node: call,
            message:
              'This transaction never calls recordChange or audit. Write the row, or say "// no audit here: <reason>".',
          });
        }
        if (needsEvent() && !EMIT.some((name) => names.has(name)) && !excused(call, 'event')) {
          context.report({
            node: call,
            message:
              'This transaction never emits. Give recordChange an event, or call emit, or say "// no event here: <reason>".',
          });
        }
      };
      return {
        CallExpression: (node) => void calls.push(node),
        FunctionDeclaration: (node) => void (node.id && functions.set(node.id.name, node)),
        VariableDeclarator: (node) =>
          void (node.id.type === 'Identifier' && node.init && functions.set(node.id.name, node.init)),
        'Program:exit': () => {
          if (path.startsWith('packages/core/src/modules/') && !isTestPath(path)) calls.forEach(check);
        },
      };
    },
  };
}
