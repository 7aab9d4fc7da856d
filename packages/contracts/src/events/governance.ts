import { notYetEmitted } from './define-event.ts';

const filings = 'Filings and compliance';
const cases = 'Cases and directives';

export const filingEvents = {
  'filing.due': notYetEmitted(filings, 'A new open filing is created.'),
  'filing.submitted': notYetEmitted(filings, 'An open filing is marked submitted.'),
  'compliance.resynced': notYetEmitted(filings, 'The compliance matrix is reseeded for a company.'),
};

export const caseEvents = {
  'case.comment_posted': notYetEmitted(cases, 'A customer or staff comment is added to a case.'),
  'directive.issued': notYetEmitted(cases, 'Directive lifecycle: issued.'),
  'directive.suspended': notYetEmitted(cases, 'Directive lifecycle: suspended.'),
  'directive.resolved': notYetEmitted(cases, 'Directive lifecycle: resolved.'),
};
