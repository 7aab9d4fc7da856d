import type { Case as CaseRecord, Comment as CommentRecord, operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { invalidFields } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockAgentAt, refuseWhilePaused } from '../agents/lock-agent-at.ts';
import { lockCompany } from '../companies/lock-company.ts';
import type { Case } from './case.entity.ts';
import { Comment } from './comment.entity.ts';
import { findCase } from './read-cases.ts';

type Op = typeof operations.cases.comments.create;

/**
 * Comments on a case, also on a closed one, which stays closed. `case.comment_posted` is emitted for customers and
 * staff; agents comment where they are attached and not paused, and no event tells of it.
 */
export async function createComment(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const author = authorOf(context, input);
  return transaction(context, { lock: input.case_id }, async (tx) => {
    const found = await findCase(tx.em, context, input.case_id);
    await lockPlace(tx, context, found);
    const now = context.clock.now();
    const comment = tx.em.create(Comment, {
      id: context.newId('cmt'),
      accountId: context.accountId,
      companyId: found.companyId,
      caseId: found.id,
      author,
      body: input.body,
      visibility: input.visibility ?? 'public',
      attachments: attachmentsOf(input),
      createdAt: now,
      updatedAt: now,
    });
    tx.em.assign(found, { commentCount: found.commentCount + 1, lastCommentAt: now, updatedAt: now });
    await tx.em.flush();
    const record = comment.toRecord();
    await audit(tx, context, {
      action: 'cases.comments.create',
      companyId: found.companyId,
      resourceId: comment.id,
      after: record,
    });
    await tell(tx, context, record, found.toRecord());
    return record;
  });
}

/** A key of scope human speaks for the customer, or for staff when it says so; an agent's key for its agent only. */
function authorOf({ scope, access, actor }: Context, { author }: InputOf<Op>): CommentRecord['author'] {
  const name = author?.name ?? actor.name ?? actor.id;
  if (scope !== 'agent') return { type: author?.type ?? 'customer', id: actor.id, name };
  const message = 'is not for keys of scope agent: their comments are those of their agent';
  invalidFields([author == null ? undefined : { pointer: '/author', code: 'not_applicable', message }]);
  return { type: 'agent', id: access.agentId ?? actor.id, name };
}

function attachmentsOf({ attachments }: InputOf<Op>): CommentRecord['attachments'] {
  return (attachments ?? []).map(({ name, url, content_type }) => ({ name, url, content_type: content_type ?? null }));
}

async function lockPlace(tx: Work, context: Context, { id, companyId }: Case): Promise<void> {
  if (context.scope !== 'agent') {
    await lockCompany(tx, context, companyId);
    return;
  }
  const place = { agent_id: context.access.agentId ?? '', company_id: companyId, case_id: id };
  refuseWhilePaused(await lockAgentAt(tx, context, place));
}

async function tell(
  tx: Work,
  context: Context,
  comment: CommentRecord,
  { id, title, status }: CaseRecord,
): Promise<void> {
  const { type, ...author } = comment.author;
  if (type === 'agent') return;
  await emit(tx, context, {
    type: 'case.comment_posted',
    companyId: comment.company_id,
    internal: comment.visibility === 'internal',
    data: { ...comment, author: { type, ...author }, case: { id, title, status } },
  });
}
