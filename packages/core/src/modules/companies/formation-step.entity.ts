import type { Actor, FormationStep as FormationStepRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const FormationStepSchema = defineEntity({
  name: 'FormationStep',
  tableName: 'formation_step',
  properties: {
    companyId: p.text().primary(),
    key: p.text().primary(),
    accountId: p.text(),
    label: p.text(),
    position: p.integer(),
    required: p.boolean(),
    status: p.text().$type<FormationStepRecord['status']>(),
    completedAt: p.datetime().nullable(),
    completedBy: p.json().$type<Actor>().nullable(),
    evidenceUrl: p.text().nullable(),
    note: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A milestone of a company that is being formed. */
export class FormationStep extends FormationStepSchema.class {
  toRecord(): FormationStepRecord {
    return {
      object: 'formation_step',
      account_id: this.accountId,
      company_id: this.companyId,
      key: this.key,
      label: this.label,
      position: this.position,
      required: this.required,
      status: this.status,
      completed_at: this.completedAt?.toISOString() ?? null,
      completed_by: this.completedBy ?? null,
      evidence_url: this.evidenceUrl ?? null,
      note: this.note ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
FormationStepSchema.setClass(FormationStep);
