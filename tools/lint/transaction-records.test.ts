// Risk: a verb changes state without the audit row or event that its transaction promises, and lint does not see it.
import { ruleTester } from './test/rule-tester.ts';
import { transactionRecords } from './transaction-records.ts';

const at = (name: string, code: string, path = 'packages/core/src/modules/companies/x.ts') => ({
  name,
  code,
  filename: `/repository/${path}`,
});
const both = "{ records: 'audit and event' }";
const auditOnly = "{ records: 'audit', lock }";
const noAudit = /never reaches audit/;
const noEvent = /never emits/;

ruleTester.run('transaction-records', transactionRecords, {
  valid: [
    at('audit and emit', `transaction(c, ${both}, async (tx) => { await audit(tx); await emit(tx); });`),
    at('audit only', `transaction(c, ${auditOnly}, async (tx) => audit(tx));`),
    at('nothing', "transaction(c, { records: 'nothing' }, (tx) => tx.query());"),
    at(
      'through functions of the same file, however deep',
      `transaction(c, ${both}, (tx) => store(tx));\nfunction store(tx) { return report(tx); }\nconst report = (tx) => { audit(tx); emit(tx); };`,
    ),
    at('one call for both', `transaction(c, ${both}, (tx) => recordChange(tx, c, { action, event: { type } }));`),
    at('an event by its short name', `transaction(c, ${both}, (tx) => recordChange(tx, c, { action, event }));`),
    at('an event that may be spread', `transaction(c, ${both}, (tx) => recordChange(tx, c, { ...change }));`),
    at('a change in a variable', `transaction(c, ${both}, (tx) => recordChange(tx, c, change));`),
    at('a change without an event', `transaction(c, ${auditOnly}, (tx) => recordChange(tx, c, { action }));`),
    at(
      'two changes, one with an event',
      `transaction(c, ${both}, (tx) => { recordChange(tx, c, { action }); recordChange(tx, c, { event }); });`,
    ),
    at('the values of a set-based statement', `transaction(c, ${both}, () => sql(auditValues(c), prepareEvent(c)));`),
    at(
      'functions that call each other',
      `transaction(c, ${both}, a);\nfunction a() { b(); audit(); emit(); }\nfunction b() { a(); }`,
    ),
    at('files outside the modules', `transaction(c, ${both}, (tx) => tx.query());`, 'packages/core/src/outbox/x.ts'),
    at('tests', `transaction(c, ${both}, f);`, 'packages/core/src/modules/companies/x.db.test.ts'),
  ],
  invalid: [
    { ...at('neither', `transaction(c, ${both}, async (tx) => tx.query());`), errors: [noAudit, noEvent] },
    {
      ...at(
        'audit after the transaction',
        `async function f() { await transaction(c, ${auditOnly}, g); audit(c); }\nfunction g() {}`,
      ),
      errors: [noAudit],
    },
    { ...at('an audit row alone', `transaction(c, ${both}, async (tx) => audit(tx));`), errors: [noEvent] },
    { ...at('an event alone', `transaction(c, ${both}, async (tx) => emit(tx));`), errors: [noAudit] },
    {
      ...at('a change without its event', `transaction(c, ${both}, (tx) => recordChange(tx, c, { action }));`),
      errors: [noEvent],
    },
    {
      ...at(
        'one of two transactions',
        `transaction(c, ${auditOnly}, (tx) => audit(tx));\ntransaction(c, ${auditOnly}, (tx) => tx.query());`,
      ),
      errors: [{ message: noAudit, line: 2 }],
    },
    {
      ...at('a function of another file', `transaction(c, ${auditOnly}, (tx) => addApiKey(tx));`),
      errors: [noAudit],
    },
    { ...at('records in a variable', 'transaction(c, options, (tx) => audit(tx));'), errors: [/literal/] },
    { ...at('records computed', 'transaction(c, { records }, (tx) => audit(tx));'), errors: [/literal/] },
  ],
});
