// Risk: casts spread through the code without a reason.
import { casts } from './casts.ts';
import { ruleTester } from './test/rule-tester.ts';

const at = (code: string, path = 'packages/core/src/x.ts') => ({ name: code, code, filename: `/repository/${path}` });
const errors = [/^Cast only in a small named function/];

ruleTester.run('casts', casts, {
  valid: [
    at('function asRow(value: unknown): Row { return value as Row; }'),
    at('const names = ["a"] as const;'),
    at('const value = JSON.parse(text) as unknown;'),
    at('const row = value as Row;', 'packages/core/src/x.test.ts'),
  ],
  invalid: [
    { ...at('const row = value as Row;'), errors },
    { ...at('const asRow = (value: unknown) => value as Row;'), errors },
    { ...at('function f(value: unknown) { return (value as Row).id; }'), errors },
    { ...at('function f(v: unknown) { a(); b(); c(); return v as Row; }'), errors },
    { ...at('rows.map(function (value) { return value as Row; });'), errors },
  ],
});
