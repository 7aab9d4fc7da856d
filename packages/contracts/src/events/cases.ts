import { z } from 'zod';
import { postedComment } from '../records/case.ts';
import { type Directive, directive } from '../records/directive.ts';
import { at, defineEvent, sampleActor, sampleId } from './define-event.ts';

const group = 'Cases and directives';

const sample: Directive = {
  id: sampleId('dir'),
  object: 'directive',
  account_id: sampleId('acct'),
  company_id: sampleId('co'),
  case_id: null,
  agent_id: sampleId('agent'),
  title: 'Pay no invoice above 500 USD without asking',
  body: null,
  priority: 'critical',
  status: 'issued',
  issued_by: sampleActor,
  issued_at: at,
  suspended_at: null,
  suspended_reason: null,
  resolved_at: null,
  resolution: null,
  resolution_note: null,
  due_at: null,
  created_at: at,
  updated_at: at,
};

export const caseEvents = {
  'case.comment_posted': defineEvent({
    group,
    description: 'A customer or staff comment is added to a case.',
    data: postedComment,
    sample: {
      id: sampleId('cmt'),
      object: 'comment',
      account_id: sampleId('acct'),
      company_id: sampleId('co'),
      case_id: sampleId('case'),
      author: { type: 'customer', id: sampleActor.id, name: sampleActor.name },
      body: 'The notice came by mail today.',
      visibility: 'public',
      attachments: [{ name: 'notice.pdf', url: 'https://example.com/notice.pdf', content_type: 'application/pdf' }],
      created_at: at,
      updated_at: at,
      case: { id: sampleId('case'), title: 'Notice from the Division of Corporations', status: 'open' },
    },
  }),
  'directive.issued': defineEvent({
    group,
    description: 'Directive lifecycle: issued.',
    data: directive.extend({
      previous_status: z
        .literal('suspended')
        .nullable()
        .describe('Status before: `suspended` if the directive was resumed; null if it is new.'),
      resumed: z.boolean().describe('True if the directive was suspended and applies again.'),
    }),
    sample: { ...sample, previous_status: null, resumed: false },
  }),
  'directive.suspended': defineEvent({
    group,
    description: 'Directive lifecycle: suspended.',
    data: directive.extend({ previous_status: z.literal('issued').describe('Status before the suspension.') }),
    sample: {
      ...sample,
      status: 'suspended',
      suspended_at: at,
      suspended_reason: 'Under review',
      previous_status: 'issued',
    },
  }),
  'directive.resolved': defineEvent({
    group,
    description: 'Directive lifecycle: resolved.',
    data: directive.extend({
      previous_status: z.enum(['issued', 'suspended']).describe('Status before the resolution.'),
    }),
    sample: {
      ...sample,
      status: 'resolved',
      resolved_at: at,
      resolution: 'completed',
      resolution_note: 'The new policy says more',
      previous_status: 'issued',
    },
  }),
};
