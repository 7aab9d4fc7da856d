import { isTestPath, pathInRepository, type Rule } from './rule.ts';

const INDEX = /^(?:packages\/[^/]+|apps\/[^/]+|bench)\/src\/index\.ts$/;
const TEST_FILE = /\.test\.tsx?$/;

/**
 * A test file opens with the risk that it removes, a package's index.ts with its purpose, what it owns and what it must
 * not do. The rule checks only that there is a comment.
 */
export const openingComment: Rule = {
  create: (context) => ({
    Program(node) {
      const path = pathInRepository(context);
      const isTest = isTestPath(path) && TEST_FILE.test(path);
      if (!isTest && !INDEX.test(path)) return;
      if (/^(?:\/\/[ \t]*\S|\/\*\*?\s*\S)/.test(context.sourceCode.text)) return;
      const message = isTest
        ? 'Open a test file with a comment that names the risk it removes.'
        : 'Open index.ts with a comment: the purpose of the package, what it owns, what it must not do.';
      context.report({ node, message });
    },
  }),
};
