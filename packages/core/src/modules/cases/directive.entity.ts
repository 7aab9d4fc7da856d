import type { Actor, Directive as DirectiveRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const DirectiveSchema = defineEntity({
  name: 'Directive',
  tableName: 'directive',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    companyId: p.text(),
    caseId: p.text().nullable(),
    agentId: p.text().nullable(),
    title: p.text(),
    body: p.text().nullable(),
    priority: p.text().$type<DirectiveRecord['priority']>(),
    status: p.text().$type<DirectiveRecord['status']>(),
    issuedBy: p.json().$type<Actor>(),
    issuedAt: p.datetime(),
    suspendedAt: p.datetime().nullable(),
    suspendedReason: p.text().nullable(),
    resolvedAt: p.datetime().nullable(),
    resolution: p.text().$type<NonNullable<DirectiveRecord['resolution']>>().nullable(),
    resolutionNote: p.text().nullable(),
    dueAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** An instruction that holds until it is resolved. */
export class Directive extends DirectiveSchema.class {
  toRecord(): DirectiveRecord {
    return {
      id: this.id,
      object: 'directive',
      account_id: this.accountId,
      company_id: this.companyId,
      case_id: this.caseId ?? null,
      agent_id: this.agentId ?? null,
      title: this.title,
      body: this.body ?? null,
      priority: this.priority,
      status: this.status,
      issued_by: this.issuedBy,
      issued_at: this.issuedAt.toISOString(),
      suspended_at: this.suspendedAt?.toISOString() ?? null,
      suspended_reason: this.suspendedReason ?? null,
      resolved_at: this.resolvedAt?.toISOString() ?? null,
      resolution: this.resolution ?? null,
      resolution_note: this.resolutionNote ?? null,
      due_at: this.dueAt?.toISOString() ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
DirectiveSchema.setClass(Directive);
