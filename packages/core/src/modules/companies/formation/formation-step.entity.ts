import type { Actor, FormationStep as FormationStepRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const FormationStepSchema = defineEntity({
  name: 'FormationStep',
  tableName: 'formation_step',
  properties: {
    company_id: p.text().primary(),
    key: p.text().primary(),
    account_id: p.text(),
    label: p.text(),
    position: p.integer(),
    required: p.boolean(),
    status: p.text().$type<FormationStepRecord['status']>(),
    completed_at: p.datetime().nullable(),
    completed_by: p.json().$type<Actor>().nullable(),
    evidence_url: p.text().nullable(),
    note: p.text().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class FormationStep extends FormationStepSchema.class {}
FormationStepSchema.setClass(FormationStep);
