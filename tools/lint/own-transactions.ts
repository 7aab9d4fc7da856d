import { isTestPath, pathInRepository, type Rule } from './rule.ts';

const BYPASS = ['transaction', 'transactional', 'begin'];

/** In core's modules, transactions are opened by outbox/transaction.ts alone. */
export const ownTransactions: Rule = {
  create(context) {
    const path = pathInRepository(context);
    if (!path.startsWith('packages/core/src/modules/') || isTestPath(path)) return {};
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        if (!BYPASS.includes(callee.property.name)) return;
        context.report({
          node,
          message: 'Open transactions with outbox/transaction.ts: it stores audit rows, events and responses.',
        });
      },
    };
  },
};
