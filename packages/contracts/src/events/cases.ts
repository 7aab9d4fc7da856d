import { z } from 'zod';
import { postedComment } from '../records/case.ts';
import { directive } from '../records/directive.ts';
import { sampleId } from '../scalars.ts';
import { at, defineEvent, sampleActor, sampleOf } from './define-event.ts';

const group = 'Cases and directives';

const sample = sampleOf(directive, {
  agent_id: sampleId('agent'),
  title: 'Pay no invoice above 500 USD without asking',
  priority: 'critical',
  status: 'issued',
  issued_by: sampleActor,
});

export const caseEvents = {
  'case.comment_posted': defineEvent({
    group,
    description: 'A customer or staff comment is added to a case.',
    data: postedComment,
    thin: ['object', 'id', 'company_id', 'case_id'],
    sample: sampleOf(postedComment, {
      author: { type: 'customer', id: sampleActor.id, name: sampleActor.name },
      body: 'The notice came by mail today.',
      visibility: 'public',
      attachments: [{ name: 'notice.pdf', url: 'https://example.com/notice.pdf', content_type: 'application/pdf' }],
      case: { id: sampleId('case'), title: 'Notice from the Division of Corporations', status: 'open' },
    }),
  }),
  'directive.issued': defineEvent({
    group,
    description: 'A directive is issued.',
    data: directive.extend({
      previous_status: z
        .literal('suspended')
        .nullable()
        .describe('Status before: `suspended` if the directive was resumed; null if it is new.'),
      resumed: z.boolean().describe('True if the directive was suspended and applies again.'),
    }),
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
    sample: { ...sample, previous_status: null, resumed: false },
  }),
  'directive.suspended': defineEvent({
    group,
    description: 'A directive is suspended.',
    data: directive.extend({ previous_status: z.literal('issued').describe('Status before the suspension.') }),
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
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
    description: 'A directive is resolved.',
    data: directive.extend({
      previous_status: z.enum(['issued', 'suspended']).describe('Status before the resolution.'),
    }),
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
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
