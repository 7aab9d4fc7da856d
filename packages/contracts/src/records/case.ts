import { z } from 'zod';
import {
  id,
  identity,
  idParameter,
  optional,
  secret,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { actor } from './api-key.ts';

export const caseStatus = z.enum(['open', 'waiting', 'closed']);
export const casePriority = z.enum(['low', 'normal', 'high', 'urgent']);

const caseTitle = text(1, 200);
const assignee = z
  .object({
    type: z.enum(['user', 'staff', 'agent']).describe('Kind of assignee.'),
    id: text(1, 255).describe("The agent's ID (`agent_…`), or for people any ID of your own."),
    name: optional(text(1, 200)).describe('Display name of the assignee.'),
  })
  .meta({ id: 'CaseAssigneeInput', description: 'Who is responsible for a case.' });

export const caseRecord = z
  .object({
    ...identity('case', 'case'),
    company_id: id('co'),
    title: z.string().describe('One line that says what the case is about.'),
    description: z.string().nullable().describe('Details of the case; null if not given.'),
    status: caseStatus.describe('`open`, `waiting` for somebody else, or `closed`. A closed case can be reopened.'),
    priority: casePriority.describe('How urgent the case is; `normal` by default.'),
    opened_by: actor.describe('Who opened the case.'),
    assignee: actor.nullable().describe('Who is responsible for the case; null if nobody is.'),
    agent_ids: z.array(id('agent')).describe("IDs of the company's agents that work on the case (`agent_…`)."),
    comment_count: z.int().describe('Number of comments, public and internal.'),
    last_comment_at: timestamp.nullable().describe('When the last comment was posted (UTC); null without comments.'),
    closed_at: timestamp.nullable().describe('When the case was closed (UTC); null while it is not.'),
    ...timestamps,
  })
  .meta({ id: 'Case', description: 'A matter of a company that people and agents work on.' });
export type Case = z.output<typeof caseRecord>;

export const caseInput = withDescriptionsOf(caseRecord, {
  title: caseTitle,
  description: optional(text(1, 10_000)),
  priority: optional(casePriority),
  assignee: optional(assignee),
  agent_ids: optional(z.array(idParameter).max(50)),
});

export const caseChanges = withDescriptionsOf(caseRecord, {
  ...caseInput,
  title: caseTitle.optional(),
  priority: casePriority.optional(),
  status: caseStatus.optional(),
});

export const commentVisibility = z.enum(['public', 'internal']).meta({
  description:
    '`public`, or `internal`: hidden from keys of scope `read` and from webhook endpoints without `include_internal`.',
});

/** The service never fetches it. */
const attachmentUrl = secret(
  text(1, 2048).regex(
    /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/i,
    'must be a web address like https://example.com/notice.pdf, without user name or password',
  ),
);

const attachmentInput = z
  .object({
    name: text(1, 255).describe('File name to show.'),
    url: attachmentUrl.describe('HTTPS address of the file, without credentials. It is stored and never fetched.'),
    content_type: optional(
      text(3, 255).regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, 'must be a media type like application/pdf'),
    ).describe('Media type of the file, for example `application/pdf`.'),
  })
  .meta({ id: 'CommentAttachmentInput', description: 'A link to a file.' });

const author = z.object({
  type: z.enum(['customer', 'staff', 'agent']).describe('Kind of author.'),
  id: z.string().describe('ID of the API key or the agent that posted the comment.'),
  name: z.string().describe('Display name of the author.'),
});

export const comment = z
  .object({
    ...identity('cmt', 'comment'),
    company_id: id('co'),
    case_id: id('case'),
    author: author.describe('Who wrote the comment.'),
    body: z.string().describe('Text of the comment, at most 10 000 characters.'),
    visibility: commentVisibility,
    attachments: z
      .array(
        z.object({
          name: z.string().describe('File name to show.'),
          url: z.string().describe('HTTPS address of the file. It is stored and never fetched.'),
          content_type: z.string().nullable().describe('Media type of the file; null if not given.'),
        }),
      )
      .describe('Links to files, at most 20.'),
    ...timestamps,
  })
  .meta({ id: 'Comment', description: 'A comment on a case. Comments cannot be changed or deleted.' });
export type Comment = z.output<typeof comment>;

export const commentInput = withDescriptionsOf(comment, {
  body: text(1, 10_000),
  visibility: optional(commentVisibility),
  attachments: optional(z.array(attachmentInput).max(20)),
  author: optional(
    z
      .object({
        type: optional(z.enum(['customer', 'staff'])).describe('`customer` by default, or `staff`.'),
        name: optional(text(1, 200)).describe('Name of the author; the name of the API key by default.'),
      })
      .meta({ id: 'CommentAuthorInput', description: 'The person who wrote a comment.' }),
  ).describe(
    "Author of a comment posted with a `human` key; the customer, with the key's name, by default. Rejected for agents.",
  ),
});

/** A comment in `case.comment_posted`; comments of agents emit none. */
export const postedComment = comment.extend({
  author: author
    .extend({ type: z.enum(['customer', 'staff']).describe('Kind of author.') })
    .describe('Who wrote the comment. Comments of agents emit no event.'),
  case: z
    .object({
      id: id('case'),
      title: z.string().describe('Title of the case.'),
      status: caseStatus.describe('State of the case, which a comment does not change.'),
    })
    .describe('The case at the time of the comment.'),
});
