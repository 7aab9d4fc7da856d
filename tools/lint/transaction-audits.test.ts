// Risk: a verb changes state without an audit row or an event, and the rule that should see it does not.
import { ruleTester } from './test/rule-tester.ts';
import { transactionAudits } from './transaction-audits.ts';

const rule = transactionAudits(new Set(['companies.create']));
const withEvents = 'type Op = typeof operations.companies.create;\n';
const withoutEvents = 'type Op = typeof operations.companies.rename;\n';
const at = (name: string, code: string, path = 'packages/core/src/modules/companies/x.ts') => ({
  name,
  code,
  filename: `/repository/${path}`,
});
const noAudit = /never calls recordChange or audit/;
const noEvent = /never emits/;

ruleTester.run('transaction-audits', rule, {
  valid: [
    at(
      'audit and emit in the callback',
      `${withEvents}transaction(c, { lock }, async (tx) => { await audit(tx); await emit(tx); });`,
    ),
    at('an operation without events needs no emit', `${withoutEvents}transaction(c, async (tx) => audit(tx));`),
    at(
      'through functions of the same file, however deep',
      'transaction(c, (tx) => store(tx));\nfunction store(tx) { return report(tx); }\nconst report = (tx) => { audit(tx); emit(tx); };',
    ),
    at(
      'one call for both',
      `${withEvents}transaction(c, async (tx) => recordChange(tx, c, { action, event: { type } }));`,
    ),
    at('an event that is spread', `${withEvents}transaction(c, async (tx) => recordChange(tx, c, { ...change }));`),
    at('a change without an event', `${withoutEvents}transaction(c, async (tx) => recordChange(tx, c, { action }));`),
    at(
      'two changes, one with an event',
      `${withEvents}transaction(c, (tx) => { recordChange(tx, c, { action }); recordChange(tx, c, { event }); });`,
    ),
    at('the values of a set-based statement', 'transaction(c, () => sql(auditValues(c), prepareEvent(c)));'),
    at(
      'functions that call each other',
      'transaction(c, a);\nfunction a() { b(); audit(); emit(); }\nfunction b() { a(); }',
    ),
    at(
      'exceptions with their reasons',
      '// no audit here: the batch writes its own row\n// no event here: nothing to tell\ntransaction(c, {}, (tx) => tx.query());',
    ),
    at('files outside the modules', 'transaction(c, (tx) => tx.query());', 'packages/core/src/outbox/x.ts'),
    at('tests', 'transaction(c, (tx) => tx.query());', 'packages/core/src/modules/companies/x.db.test.ts'),
  ],
  invalid: [
    { ...at('neither', 'transaction(c, async (tx) => tx.query());'), errors: [noAudit, noEvent] },
    {
      ...at(
        'audit after the transaction',
        `${withoutEvents}async function f() { await transaction(c, g); audit(c); }\nfunction g() {}`,
      ),
      errors: [noAudit],
    },
    {
      ...at('an operation with events', `${withEvents}transaction(c, async (tx) => audit(tx));`),
      errors: [noEvent],
    },
    {
      ...at(
        'a change without its event',
        `${withEvents}transaction(c, async (tx) => recordChange(tx, c, { action }));`,
      ),
      errors: [noEvent],
    },
    {
      ...at(
        'one of two transactions',
        `${withoutEvents}transaction(c, (tx) => audit(tx));\ntransaction(c, {}, (tx) => tx.query());`,
      ),
      errors: [{ message: noAudit, line: 3 }],
    },
    {
      ...at(
        'an exception without a reason',
        `${withoutEvents}// no audit here: TODO\ntransaction(c, {}, (tx) => tx.query());`,
      ),
      errors: [noAudit],
    },
    {
      ...at(
        'an exception far away',
        `${withoutEvents}// no audit here: for good reason\n\n\n\ntransaction(c, {}, (tx) => tx.query());`,
      ),
      errors: [noAudit],
    },
    {
      ...at(
        'an exception after it',
        `${withoutEvents}transaction(c, (tx) => tx.query());\n// no audit here: for good reason`,
      ),
      errors: [noAudit],
    },
    { ...at('a function of another file', `${withoutEvents}transaction(c, (tx) => mint(tx));`), errors: [noAudit] },
    {
      ...at('past `transaction`', 'context.database.transaction((tx) => audit(tx));'),
      errors: [/outbox\/transaction\.ts/],
    },
    {
      ...at('past `transaction`, through entities', 'em.transactional((tx) => audit(tx));'),
      errors: [/outbox\/transaction\.ts/],
    },
  ],
});
