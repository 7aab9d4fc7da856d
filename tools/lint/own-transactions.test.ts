// Risk: a module opens its own transaction, whose events wake no worker and whose response is not stored.
import { ownTransactions } from './own-transactions.ts';
import { ruleTester } from './test/rule-tester.ts';

const at = (name: string, code: string, path = 'packages/core/src/modules/companies/x.ts') => ({
  name,
  code,
  filename: `/repository/${path}`,
});
const errors = [/outbox\/transaction\.ts/];
const direct = 'context.database.transaction((tx) => audit(tx));';

ruleTester.run('own-transactions', ownTransactions, {
  valid: [
    at('`transaction`', "transaction(context, { records: 'audit' }, (tx) => audit(tx));"),
    at('files outside the modules', direct, 'packages/core/src/outbox/x.ts'),
    at('tests', direct, 'packages/core/src/modules/companies/x.db.test.ts'),
  ],
  invalid: [
    { ...at('of the database', direct), errors },
    { ...at('of entities', 'em.transactional((tx) => audit(tx));'), errors },
    { ...at('of entities, in parts', 'em.begin();'), errors },
  ],
});
