import { caseRecord, type operations } from '@finhook/contracts';
import { changesBetween, keepSame } from '../../kernel/changes.ts';
import type { Context } from '../../kernel/context.ts';
import { record } from '../../kernel/record.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import type { Case } from './case.entity.ts';
import { type CasePeople, readPeople } from './case-people.ts';
import { caseStates } from './case-states.ts';
import { findCase } from './read.ts';

type Op = typeof operations.cases.update;

export async function updateCase(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.case_id }, async (tx) => {
    const found = await findCase(tx.em, context, input.case_id);
    await lockCompany(tx, context, found.company_id);
    const before = record(caseRecord, found);
    const people = await readPeople(tx, context, found.company_id, input, before);
    const now = context.clock.now();
    assign(found, input, people);
    move(found, input.status, now);
    if (changesBetween(before, record(caseRecord, found)).changed.length === 0) return before;
    found.updated_at = now;
    await tx.em.flush();
    const after = record(caseRecord, found);
    await recordChange(tx, context, { action: 'cases.update', before, after });
    return after;
  });
}

function assign(found: Case, input: InputOf<Op>, { assignee, agent_ids }: CasePeople): void {
  if (input.title !== undefined) found.title = input.title;
  if (input.description !== undefined) found.description = input.description;
  if (input.priority !== undefined) found.priority = input.priority;
  found.assignee = keepSame(found.assignee ?? null, assignee);
  found.agent_ids = agent_ids;
}

function move(found: Case, status: InputOf<Op>['status'], now: Date): void {
  if (status === undefined || !caseStates.moves(found.status, status)) return;
  found.status = status;
  found.closed_at = status === 'closed' ? now : null;
}
