/** cases: the matters of a company, what is said about them, and the directives that people give. */
export { Case } from './case.entity.ts';
export { Comment } from './comment.entity.ts';
export { createCase } from './create-case.ts';
export { createComment } from './create-comment.ts';
export { createDirective } from './create-directive.ts';
export { Directive } from './directive.entity.ts';
export { listComments } from './list-comments.ts';
export { resolveDirective, resumeDirective, suspendDirective } from './move-directive.ts';
export { getCase, listCases } from './read-cases.ts';
export { getDirective, listDirectives } from './read-directives.ts';
export { updateCase } from './update-case.ts';
