import { type Actor, type Case as CaseRecord, caseRecord, type operations } from '@finhook/contracts';
import type { Queryable } from '../../db/queryable.ts';
import { changesBetween, keepSame, recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import {
  assignGiven,
  columnsOf,
  insertRecord,
  pickGiven,
  recordEntity,
  recordFinder,
} from '../../verbs/record-entity.ts';
import { defineStates } from '../../verbs/state-machine.ts';
import { type InputOf, listVerb, type Verb } from '../../verbs/verb.ts';
import { attachedAgents, notAttached } from '../agents/lock-agent-at.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { findCompany } from '../companies/read.ts';

const CaseSchema = recordEntity('Case', 'case_file', columnsOf(caseRecord));

export class Case extends CaseSchema.class {}
CaseSchema.setClass(Case);

const caseStates = defineStates<CaseRecord['status']>('case', {
  open: ['waiting', 'closed'],
  waiting: ['open', 'closed'],
  closed: ['open'],
});

type People = Pick<InputOf<typeof operations.cases.update>, 'assignee' | 'agent_ids'>;

interface CasePeople {
  assignee: Actor | null;
  agent_ids: string[];
}

// Applies a request to the people of a case. An agent must be attached to the company or work on the case already.
async function readPeople(
  db: Queryable,
  context: Context,
  companyId: string,
  input: People,
  now: CasePeople = { assignee: null, agent_ids: [] },
): Promise<CasePeople> {
  const { assignee } = input;
  const agent_ids = input.agent_ids === undefined ? now.agent_ids : [...new Set(input.agent_ids ?? [])];
  const wanted = assignee?.type === 'agent' ? assignee.id : undefined;
  const asked = [...(input.agent_ids ?? []), ...(wanted === undefined ? [] : [wanted])];
  const known = new Map(await attachedAgents(db, context, companyId, asked));
  const kept = now.assignee?.type === 'agent' ? now.assignee : undefined;
  const errors = (input.agent_ids ?? []).map((id, i) =>
    known.has(id) || now.agent_ids.includes(id) ? undefined : notAttached(`/agent_ids/${i}`),
  );
  const isKnown = wanted === undefined || known.has(wanted) || kept?.id === wanted;
  rejectFields([...errors, isKnown ? undefined : notAttached('/assignee/id')]);
  if (assignee === undefined) return { assignee: now.assignee, agent_ids };
  if (assignee === null) return { assignee: null, agent_ids };
  const agentName = wanted === undefined ? undefined : (known.get(wanted) ?? kept?.name);
  const name = assignee.name ?? agentName;
  return { assignee: { type: assignee.type, id: assignee.id, ...(name === undefined ? {} : { name }) }, agent_ids };
}

/** Emits no event: only comments are in the feed. */
export const createCase: Verb<typeof operations.cases.create> = (context, input) =>
  transaction(context, { records: 'audit' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const people = await readPeople(tx, context, company.id, input);
    const opened = await insertRecord(tx, context, Case, 'case', {
      company_id: company.id,
      ...pickGiven(input, ['title', 'description']),
      status: 'open',
      priority: input.priority ?? 'normal',
      opened_by: context.actor,
      ...people,
      comment_count: 0,
    });
    const after = record(caseRecord, opened);
    recordChange(tx, context, { action: 'cases.create', after });
    return after;
  });

export const findCase = recordFinder(Case, 'case');

export const getCase: Verb<typeof operations.cases.get> = async (context, input) =>
  record(caseRecord, await findCase(context.database.em(), context, input.case_id));

export const listCases = listVerb<typeof operations.cases.list, RowOf<typeof caseRecord>>({
  table: 'case_file',
  prefix: 'case',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'priority']);
    filters.whereContains(input.q, ['title', 'description']);
  },
  map: (row) => record(caseRecord, row),
});

type UpdateOp = typeof operations.cases.update;

export const updateCase: Verb<UpdateOp> = (context, input) =>
  transaction(context, { records: 'audit', lock: input.case_id }, async (tx) => {
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
    recordChange(tx, context, { action: 'cases.update', before, after });
    return after;
  });

function assign(found: Case, input: InputOf<UpdateOp>, { assignee, agent_ids }: CasePeople): void {
  assignGiven(found, input, ['title', 'description', 'priority']);
  found.assignee = keepSame(found.assignee ?? null, assignee);
  found.agent_ids = agent_ids;
}

function move(found: Case, status: InputOf<UpdateOp>['status'], now: Date): void {
  if (status === undefined || !caseStates.moves(found.status, status)) return;
  found.status = status;
  found.closed_at = status === 'closed' ? now : null;
}
