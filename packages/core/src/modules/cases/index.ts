/** cases: the cases of a company, their comments, and the directives that people issue. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { createCase } from './create-case.ts';
import { createComment } from './create-comment.ts';
import { createDirective } from './create-directive.ts';
import { listComments } from './list-comments.ts';
import { resolveDirective, resumeDirective, suspendDirective } from './move-directive.ts';
import { getCase, listCases } from './read-cases.ts';
import { getDirective, listDirectives } from './read-directives.ts';
import { updateCase } from './update-case.ts';

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
