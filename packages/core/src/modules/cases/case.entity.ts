import type { Actor, Case as CaseRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const CaseSchema = defineEntity({
  name: 'Case',
  tableName: 'case_file',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    companyId: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    status: p.text().$type<CaseRecord['status']>(),
    priority: p.text().$type<CaseRecord['priority']>(),
    openedBy: p.json().$type<Actor>(),
    assignee: p.json().$type<Actor>().nullable(),
    agentIds: p.array().columnType('text[]').$type<string[]>(),
    commentCount: p.integer(),
    lastCommentAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A matter of a company that people and agents work on. */
export class Case extends CaseSchema.class {
  toRecord(): CaseRecord {
    return {
      id: this.id,
      object: 'case',
      account_id: this.accountId,
      company_id: this.companyId,
      title: this.title,
      description: this.description ?? null,
      status: this.status,
      priority: this.priority,
      opened_by: this.openedBy,
      assignee: this.assignee ?? null,
      agent_ids: this.agentIds,
      comment_count: this.commentCount,
      last_comment_at: this.lastCommentAt?.toISOString() ?? null,
      closed_at: this.closedAt?.toISOString() ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
CaseSchema.setClass(Case);
