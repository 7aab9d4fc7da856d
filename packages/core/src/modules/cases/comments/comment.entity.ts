import type { Comment as CommentRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const CommentSchema = defineEntity({
  name: 'Comment',
  tableName: 'case_comment',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    company_id: p.text(),
    case_id: p.text(),
    author: p.json().$type<CommentRecord['author']>(),
    body: p.text(),
    visibility: p.text().$type<CommentRecord['visibility']>(),
    attachments: p.json().$type<CommentRecord['attachments']>(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class Comment extends CommentSchema.class {}
CommentSchema.setClass(Comment);
