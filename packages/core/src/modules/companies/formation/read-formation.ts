import { type Formation, formationStep } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../../kernel/record.ts';
import { FormationStep } from './formation-step.entity.ts';

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
