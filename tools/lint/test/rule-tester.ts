import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';

RuleTester.describe = describe;
RuleTester.it = test;

/** Runs rules on snippets as if they were files of a repository at /repository. */
export const ruleTester = new RuleTester({ cwd: '/repository' });
