/** cases: the cases of a company, their comments, and the directives that people issue. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { createComment } from './comments/create.ts';
import { listComments } from './comments/list.ts';
import { createCase } from './create.ts';
import { createDirective } from './directives/create.ts';
import { resolveDirective, resumeDirective, suspendDirective } from './directives/move.ts';
import { getDirective, listDirectives } from './directives/read.ts';
import { getCase, listCases } from './read.ts';
import { updateCase } from './update.ts';

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
