import type { Actor, Directive as DirectiveRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const DirectiveSchema = defineEntity({
  name: 'Directive',
  tableName: 'directive',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    company_id: p.text(),
    case_id: p.text().nullable(),
    agent_id: p.text().nullable(),
    title: p.text(),
    body: p.text().nullable(),
    priority: p.text().$type<DirectiveRecord['priority']>(),
    status: p.text().$type<DirectiveRecord['status']>(),
    issued_by: p.json().$type<Actor>(),
    issued_at: p.datetime(),
    suspended_at: p.datetime().nullable(),
    suspended_reason: p.text().nullable(),
    resolved_at: p.datetime().nullable(),
    resolution: p.text().$type<NonNullable<DirectiveRecord['resolution']>>().nullable(),
    resolution_note: p.text().nullable(),
    due_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class Directive extends DirectiveSchema.class {}
DirectiveSchema.setClass(Directive);
