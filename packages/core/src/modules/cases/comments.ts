import {
  type Comment as CommentRecord,
  comment as commentSchema,
  type EventData,
  type operations,
} from '@finhook/contracts';
import { readsInternal } from '../../access/access.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { columnsOf, insertRecord, recordEntity } from '../../verbs/record-entity.ts';
import { type InputOf, listVerb, type Verb } from '../../verbs/verb.ts';
import { lockAgentAt, rejectWhilePaused } from '../agents/lock-agent-at.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { type Case, findCase } from './case.ts';

const CommentSchema = recordEntity('Comment', 'case_comment', columnsOf(commentSchema));

export class Comment extends CommentSchema.class {}
CommentSchema.setClass(Comment);

type Op = typeof operations.cases.comments.create;

export const createComment: Verb<Op> = async (context, input) => {
  const author = authorOf(context, input);
  return transaction(context, { records: 'audit and event', lock: input.case_id }, async (tx) => {
    const found = await findCase(tx.em, context, input.case_id);
    await lockForComment(tx, context, found);
    const now = context.clock.now();
    tx.em.assign(found, { comment_count: found.comment_count + 1, last_comment_at: now, updated_at: now });
    const fields = {
      company_id: found.company_id,
      case_id: found.id,
      author,
      body: input.body,
      visibility: input.visibility ?? ('public' as const),
      attachments: (input.attachments ?? []).map((one) => record(commentSchema.shape.attachments.element, one)),
    };
    const after = record(commentSchema, await insertRecord(tx, context, Comment, 'cmt', fields, now));
    recordChange(tx, context, { action: 'cases.comments.create', after, event: postedEvent(after, found) });
    return after;
  });
};

// Keys of scope human write as the customer or, on request, as staff; keys of scope agent as their agent.
function authorOf({ scope, access, actor }: Context, { author }: InputOf<Op>): CommentRecord['author'] {
  const name = author?.name ?? actor.name ?? actor.id;
  if (scope !== 'agent') return { type: author?.type ?? 'customer', id: actor.id, name };
  const message = 'is not for keys of scope agent: their comments are those of their agent';
  rejectFields([author == null ? undefined : { pointer: '/author', code: 'not_applicable', message }]);
  return { type: 'agent', id: access.agentId ?? actor.id, name };
}

async function lockForComment(tx: UnitOfWork, context: Context, { id, company_id }: Case): Promise<void> {
  if (context.scope !== 'agent') {
    await lockCompany(tx, context, company_id);
    return;
  }
  const assignment = { agent_id: context.access.agentId ?? '', company_id, case_id: id };
  rejectWhilePaused(await lockAgentAt(tx, context, assignment));
}

/** Comments of agents have no event. */
function postedEvent(comment: CommentRecord, { id, title, status }: Case) {
  const { type, ...author } = comment.author;
  if (type === 'agent') return undefined;
  const data: EventData<'case.comment_posted'> = {
    ...comment,
    author: { type, ...author },
    case: { id, title, status },
  };
  return { type: 'case.comment_posted' as const, internal: comment.visibility === 'internal', data };
}

export const listComments = listVerb<typeof operations.cases.comments.list, RowOf<typeof commentSchema>>({
  table: 'case_comment',
  prefix: 'cmt',
  async filters(filters, context, input) {
    const found = await findCase(context.database.em(), context, input.case_id);
    filters.where(found.id, 'case_id = ?');
    if (!readsInternal(context)) filters.add("visibility = 'public'");
    filters.whereEqual(input, ['visibility']);
  },
  map: (row) => record(commentSchema, row),
});
