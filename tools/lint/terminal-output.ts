import { isTestPath, pathInRepository, type Rule } from './rule.ts';

const terminal = 'apps/cli/src/terminal.ts';

/**
 * Programs of apps/cli print and ask through one file, which removes control characters. Doesn't detect other ways to a
 * stream, such as a file descriptor.
 */
export const terminalOutput: Rule = {
  create: (context) => ({
    MemberExpression(node) {
      const path = pathInRepository(context);
      if (!path.startsWith('apps/cli/src/') || path === terminal || isTestPath(path)) return;
      if (node.object.type !== 'Identifier') return;
      const property = node.property.type === 'Identifier' ? node.property.name : '';
      const isStream = node.object.name === 'process' && ['stdout', 'stderr'].includes(property);
      if (!isStream && node.object.name !== 'console') return;
      context.report({ node, message: `Print through ${terminal}, which cleans the text of control characters.` });
    },
  }),
};
