import { z } from 'zod';
import { id, idParameter, optional, secret, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

export const caseStatus = z.enum(['open', 'waiting', 'closed']);
export const casePriority = z.enum(['low', 'normal', 'high', 'urgent']);

const caseTitle = text(1, 200);
const assignee = z.object({
  type: z.enum(['user', 'staff', 'agent']),
  id: text(1, 255).meta({ description: 'Of an agent its `agent_` id; of people whatever id the caller has for them' }),
  name: optional(text(1, 200)),
});

/** What a case is made with; absent and `null` mean none, or what is usual. */
export const caseInput = {
  title: caseTitle,
  description: optional(text(1, 10_000)),
  priority: optional(casePriority).meta({ description: 'normal by default' }),
  assignee: optional(assignee),
  agent_ids: optional(z.array(idParameter).max(50)),
};

/** What a change of a case may carry; absent fields stay as they are, `null` empties one that may be empty. */
export const caseChanges = {
  ...caseInput,
  title: caseTitle.optional(),
  priority: casePriority.optional(),
  status: caseStatus.optional(),
};

/** A matter of a company that people and agents work on. */
export const caseRecord = z
  .object({
    id: id('case'),
    object: z.literal('case'),
    account_id: id('acct'),
    company_id: id('co'),
    title: z.string(),
    description: z.string().nullable(),
    status: caseStatus,
    priority: casePriority,
    opened_by: actor,
    assignee: actor.nullable(),
    agent_ids: z.array(id('agent')).meta({ description: 'Agents of the company that work on it' }),
    comment_count: z.int().meta({ description: 'Public and internal comments' }),
    last_comment_at: timestamp.nullable(),
    closed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Case' });
export type Case = z.output<typeof caseRecord>;

export const commentVisibility = z.enum(['public', 'internal']).meta({
  description:
    'internal: for keys of scope human and agent, and for webhook endpoints with `include_internal`, but for no key of scope read',
});

/** Where an attachment can be read: https, without credentials. It is kept and never fetched. */
const attachmentUrl = secret(
  text(1, 2048).regex(
    /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/i,
    'must be a web address like https://example.com/notice.pdf, without user name or password',
  ),
);

const attachmentInput = z.object({
  name: text(1, 255),
  url: attachmentUrl,
  content_type: optional(
    text(3, 255).regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, 'must be a media type like application/pdf'),
  ),
});

/** What a comment is made with. */
export const commentInput = {
  body: text(1, 10_000),
  visibility: optional(commentVisibility),
  attachments: optional(z.array(attachmentInput).max(20)),
  author: optional(z.object({ type: optional(z.enum(['customer', 'staff'])), name: optional(text(1, 200)) })).meta({
    description:
      "Who speaks through a key of scope human; the customer under the key's name by default. An agent speaks for itself",
  }),
};

/** Who wrote a comment: `id` is that of the key it came through, or of the agent. */
const author = z.object({ type: z.enum(['customer', 'staff', 'agent']), id: z.string(), name: z.string() });

export const comment = z
  .object({
    id: id('cmt'),
    object: z.literal('comment'),
    account_id: id('acct'),
    company_id: id('co'),
    case_id: id('case'),
    author,
    body: z.string(),
    visibility: commentVisibility,
    attachments: z.array(z.object({ name: z.string(), url: z.string(), content_type: z.string().nullable() })),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Comment' });
export type Comment = z.output<typeof comment>;

/** A comment as `case.comment_posted` tells it: those of agents are told by no event. */
export const postedComment = comment.extend({
  author: author.extend({ type: z.enum(['customer', 'staff']) }),
  case: z.object({ id: id('case'), title: z.string(), status: caseStatus }),
});
