import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

/** A longer wait makes tests slow, and a shorter one guarantees nothing. */
const MAX_WAIT_MS = 300;

/**
 * A test outside the load tier measures no time, and waits for conditions. Doesn't detect `Date.now()`, which tests
 * also need for days.
 */
export const testTime: Rule = {
  create: (context) => {
    const path = pathInRepository(context);
    if (!isTestPath(path) || path.includes('.load.')) return {};
    return {
      MemberExpression(node) {
        const property = node.property.type === 'Identifier' ? node.property.name : '';
        const object = node.object.type === 'Identifier' ? node.object.name : '';
        if (object === 'performance' && property === 'now') {
          context.report({ node, message: 'Assert order, counts or states: a measured time fails on a slow machine.' });
        }
        if (property === 'waitForTimeout') {
          context.report({ node, message: 'Wait for a condition: a fixed wait is too long or too short.' });
        }
      },
      CallExpression(node) {
        if (waitOf(node) <= MAX_WAIT_MS) return;
        context.report({ node, message: `Wait for a condition, or at most ${MAX_WAIT_MS} ms.` });
      },
    };
  },
};

/** The literal milliseconds of a waiting call. */
function waitOf({ callee, arguments: given }: NodeOf<'CallExpression'>): number {
  if (callee.type !== 'Identifier' || !['delay', 'sleep', 'setTimeout'].includes(callee.name)) return 0;
  // The first argument of a function that returns a promise, else the second.
  const values = given
    .slice(0, 2)
    .map((one) => (one.type === 'Literal' && typeof one.value === 'number' ? one.value : 0));
  return Math.max(0, ...values);
}
