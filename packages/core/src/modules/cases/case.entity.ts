import type { Actor, Case as CaseRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const CaseSchema = defineEntity({
  name: 'Case',
  tableName: 'case_file',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    company_id: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    status: p.text().$type<CaseRecord['status']>(),
    priority: p.text().$type<CaseRecord['priority']>(),
    opened_by: p.json().$type<Actor>(),
    assignee: p.json().$type<Actor>().nullable(),
    agent_ids: p.array().columnType('text[]').$type<string[]>(),
    comment_count: p.integer(),
    last_comment_at: p.datetime().nullable(),
    closed_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class Case extends CaseSchema.class {}
CaseSchema.setClass(Case);
