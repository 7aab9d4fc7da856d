import {
  type Company as CompanyRecord,
  company as companySchema,
  formationStep,
  type operations,
} from '@finhook/contracts';
import { changesBetween } from '../../../kernel/changes.ts';
import type { Context } from '../../../kernel/context.ts';
import { notFound } from '../../../kernel/domain-error.ts';
import { emit } from '../../../kernel/emit.ts';
import { record } from '../../../kernel/record.ts';
import { recordChange } from '../../../kernel/record-change.ts';
import { transaction, type UnitOfWork } from '../../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { stepStates } from '../company-states.ts';
import { lockCompanyForUpdate } from '../lock-company.ts';
import type { FormationStep } from './formation-step.entity.ts';
import { findSteps, formationOf } from './read-formation.ts';

type Op = typeof operations.companies.formation.completeStep;

export async function completeFormationStep(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.company_id }, async (tx) => {
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
    await recordChange(tx, context, {
      action: 'companies.formation.completeStep',
      companyId: company.id,
      before,
      after,
      event: { type: 'company.formation.step_completed', data: output },
    });
    await emitActivation(tx, context, stepped, after);
    return output;
  });
}

function isFormed(steps: readonly FormationStep[]): boolean {
  return steps.every(({ required, status }) => !required || status === 'completed');
}

function withProgress(step: FormationStep, { formation }: CompanyRecord): OutputOf<Op> {
  const { completed_steps, total_steps } = formation;
  return { ...record(formationStep, step), formation: { completed_steps, total_steps } };
}

// The step has its own event: only its effect on the company counts as a change here.
async function emitActivation(
  tx: UnitOfWork,
  context: Context,
  stepped: CompanyRecord,
  after: CompanyRecord,
): Promise<void> {
  const changes = changesBetween(stepped, after);
  if (changes.changed.length === 0) return;
  await emit(tx, context, {
    type: 'company.updated',
    companyId: after.id,
    data: { ...after, ...changes },
  });
}
