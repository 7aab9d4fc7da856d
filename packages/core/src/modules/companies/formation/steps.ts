import {
  type Company as CompanyRecord,
  company as companySchema,
  type Formation,
  formationStep,
  type operations,
} from '@finhook/contracts';
import { defineEntity, type EntityManager, p } from '@mikro-orm/postgresql';
import { emit } from '../../../outbox/emit.ts';
import { changesBetween, recordChange } from '../../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import { columnsOf } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import type { OutputOf, Verb } from '../../../verbs/verb.ts';
import { lockCompanyForUpdate } from '../lock-company.ts';

const FormationStepSchema = defineEntity({
  name: 'FormationStep',
  tableName: 'formation_step',
  properties: {
    company_id: p.text().primary(),
    key: p.text().primary(),
    account_id: p.text(),
    ...columnsOf(formationStep.omit({ company_id: true, key: true })),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class FormationStep extends FormationStepSchema.class {}
FormationStepSchema.setClass(FormationStep);

const stepStates = defineStates('formation step', { pending: ['completed'], completed: [] });

export function findSteps(em: EntityManager, companyIds: readonly string[]): Promise<FormationStep[]> {
  const where = { company_id: { $in: [...companyIds] } };
  return em.find(FormationStep, where, { orderBy: { company_id: 'asc', position: 'asc' } });
}

export function formationOf(steps: readonly FormationStep[]): Formation {
  return {
    completed_steps: steps.filter(({ status }) => status === 'completed').length,
    total_steps: steps.length,
    steps: steps.map((step) => record(formationStep, step)),
  };
}

export async function readFormation(em: EntityManager, companyId: string): Promise<Formation> {
  return formationOf(await findSteps(em, [companyId]));
}

type Op = typeof operations.companies.formation.completeStep;

export const completeFormationStep: Verb<Op> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.company_id }, async (tx) => {
    const company = await lockCompanyForUpdate(tx, context, input.company_id);
    const steps = await findSteps(tx.em, [company.id]);
    const step = steps.find(({ key }) => key === input.step_key);
    if (!step) throw notFound('formation step');
    const before = record(companySchema, company, { formation: formationOf(steps) });
    if (!stepStates.moves(step.status, 'completed')) return withProgress(step, before);
    const now = context.clock.now();
    step.status = 'completed';
    step.completed_at = now;
    step.completed_by = context.actor;
    step.note = input.note ?? null;
    step.evidence_url = input.evidence_url ?? null;
    step.updated_at = now;
    company.updated_at = now;
    const stepped = record(companySchema, company, { formation: formationOf(steps) });
    if (company.status === 'forming' && isFormed(steps)) company.status = 'active';
    await tx.em.flush();
    const after = record(companySchema, company, { formation: formationOf(steps) });
    const output = withProgress(step, after);
    recordChange(tx, context, {
      action: 'companies.formation.completeStep',
      companyId: company.id,
      before,
      after,
      event: { type: 'company.formation.step_completed', data: output },
    });
    await emitActivation(tx, context, stepped, after);
    return output;
  });

function isFormed(steps: readonly FormationStep[]): boolean {
  return steps.every(({ required, status }) => !required || status === 'completed');
}

function withProgress(step: FormationStep, { formation }: CompanyRecord): OutputOf<Op> {
  const { completed_steps, total_steps } = formation;
  return { ...record(formationStep, step), formation: { completed_steps, total_steps } };
}

// The step has its own event, so this one reports only the company's activation.
async function emitActivation(
  tx: UnitOfWork,
  context: Context,
  stepped: CompanyRecord,
  after: CompanyRecord,
): Promise<void> {
  const changes = changesBetween(stepped, after);
  if (changes.changed.length === 0) return;
  emit(tx, context, {
    type: 'company.updated',
    companyId: after.id,
    data: { ...after, ...changes },
  });
}
