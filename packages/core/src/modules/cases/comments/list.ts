import { comment, type operations } from '@finhook/contracts';
import { readsInternal } from '../../../kernel/access.ts';
import { type RowOf, record } from '../../../kernel/record.ts';
import { listVerb } from '../../../kernel/verb.ts';
import { findCase } from '../read.ts';

export const listComments = listVerb<typeof operations.cases.comments.list, RowOf<typeof comment>>({
  table: 'case_comment',
  prefix: 'cmt',
  async filters(filters, context, input) {
    const found = await findCase(context.database.em(), context, input.case_id);
    filters.where(found.id, 'case_id = ?');
    if (!readsInternal(context)) filters.add("visibility = 'public'");
    filters.whereEqual(input, ['visibility']);
  },
  map: (row) => record(comment, row),
});
