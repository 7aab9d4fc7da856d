/** cases: the cases of a company, their comments, and the directives that people issue. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { createCase, getCase, listCases, updateCase } from './case.ts';
import { createComment, listComments } from './comments.ts';
import { createDirective, getDirective, listDirectives } from './directives/directive.ts';
import { resolveDirective, resumeDirective, suspendDirective } from './directives/move.ts';

export const cases = {
  create: createCase,
  get: getCase,
  list: listCases,
  update: updateCase,
  comments: {
    create: createComment,
    list: listComments,
  },
} satisfies Handlers<typeof operations.cases>;

export const directives = {
  create: createDirective,
  get: getDirective,
  list: listDirectives,
  suspend: suspendDirective,
  resume: resumeDirective,
  resolve: resolveDirective,
} satisfies Handlers<typeof operations.directives>;
