// Risk: the rule accepts a file name without a subject, or rejects a good name.
import { fileNames } from './file-names.ts';
import { ruleTester } from './test/rule-tester.ts';

const at = (path: string) => ({ name: path, code: 'export {};', filename: `/repository/packages/core/src/${path}` });

ruleTester.run('file-names', fileNames, {
  valid: ['verb.ts', 'sign-service-signature.ts', 'service-hmac.ts', 'account.entity.ts', 'commonwealth.ts'].map(at),
  invalid: ['utils.ts', 'helper.ts', 'common.ts', 'queue-manager.ts', 'date-utils.test.ts', 'x/service.tsx'].map(
    (path) => ({ ...at(path), errors: [/^".+" does not say what is inside/] }),
  ),
});
