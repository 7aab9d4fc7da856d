import type { operations } from '@finhook/contracts';
import { readsInternal } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Comment } from './comment.entity.ts';
import { findCase } from './read-cases.ts';

type Op = typeof operations.cases.comments.list;

/** Lists the comments on a case, newest first; internal ones are not for keys of scope read. */
export async function listComments(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const em = context.database.em();
  const found = await findCase(em, context, input.case_id);
  const filters = new Filters();
  filters.when(found.id, 'case_id = ?');
  if (!readsInternal(context)) filters.add("visibility = 'public'");
  filters.when(input.visibility, 'visibility = ?');
  filters.whenTimes(input);
  return readPage<{ id: string }, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'case_comment',
    filters,
    sort: [byId('cmt')],
    page: input,
    toItem: (row) => em.map(Comment, row).toRecord(),
  });
}
