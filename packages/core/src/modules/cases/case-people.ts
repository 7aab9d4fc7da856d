import type { Actor, operations } from '@finhook/contracts';
import type { Queryable } from '../../db/queryable.ts';
import type { Context } from '../../kernel/context.ts';
import { rejectFields } from '../../kernel/domain-error.ts';
import type { InputOf } from '../../kernel/verb.ts';
import { attachedAgents, notAttached } from '../agents/attached-agents.ts';

type Input = Pick<InputOf<typeof operations.cases.update>, 'assignee' | 'agent_ids'>;

export interface CasePeople {
  assignee: Actor | null;
  agent_ids: string[];
}

/**
 * The people of a case after a request; absent fields keep those of `now`. An agent must be attached to the company,
 * unless it works on the case already. Throws `validation_failed` with a pointer per invalid person.
 */
export async function readPeople(
  db: Queryable,
  context: Context,
  companyId: string,
  input: Input,
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
