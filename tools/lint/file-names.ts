import { pathInRepository, type Rule } from './rule.ts';

/** A name that is one of these words or ends in one, for example `utils` or `date-helpers`. */
const MEANINGLESS = /(?:^|-)(?:utils?|helpers?|common|managers?|services?)$/;

/** A file is named after its subject. These words name none, and such files collect unrelated code. */
export const fileNames: Rule = {
  create: (context) => ({
    Program(node) {
      const path = pathInRepository(context);
      const [name = ''] = path.slice(path.lastIndexOf('/') + 1).split('.');
      if (!MEANINGLESS.test(name)) return;
      context.report({ node, message: `"${name}" does not say what is inside: name the file after its subject.` });
    },
  }),
};
