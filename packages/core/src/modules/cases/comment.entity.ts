import type { Comment as CommentRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const CommentSchema = defineEntity({
  name: 'Comment',
  tableName: 'case_comment',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    companyId: p.text(),
    caseId: p.text(),
    author: p.json().$type<CommentRecord['author']>(),
    body: p.text(),
    visibility: p.text().$type<CommentRecord['visibility']>(),
    attachments: p.json().$type<CommentRecord['attachments']>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** What somebody said about a case. It is never changed. */
export class Comment extends CommentSchema.class {
  toRecord(): CommentRecord {
    return {
      id: this.id,
      object: 'comment',
      account_id: this.accountId,
      company_id: this.companyId,
      case_id: this.caseId,
      author: this.author,
      body: this.body,
      visibility: this.visibility,
      attachments: this.attachments,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
CommentSchema.setClass(Comment);
