// Risk: test files and packages lack their purpose.
import { openingComment } from './opening-comment.ts';
import { ruleTester } from './test/rule-tester.ts';

const at = (path: string, code: string) => ({ name: `${path}: ${code}`, code, filename: `/repository/${path}` });

ruleTester.run('opening-comment', openingComment, {
  valid: [
    at('packages/core/src/x.test.ts', '// Risk: x is lost.\nexport {};'),
    at('packages/core/src/index.ts', '/**\n * @finhook/core: the domain.\n */\nexport {};'),
    at('packages/core/src/modules/bank/transactions/index.ts', 'export {};'),
    at('packages/core/test/core-fixture.ts', 'export {};'),
  ],
  invalid: [
    { ...at('packages/core/src/x.test.ts', 'export {};\n// Risk: too late.'), errors: [/names the risk/] },
    { ...at('apps/api/test/x.db.test.ts', '\n// Risk: not the first line.'), errors: [/names the risk/] },
    { ...at('packages/core/src/x.test.ts', '//\nexport {};'), errors: [/names the risk/] },
    { ...at('packages/core/src/index.ts', 'export {};'), errors: [/what it must not do/] },
    { ...at('bench/src/index.ts', 'export {};'), errors: [/what it must not do/] },
  ],
});
