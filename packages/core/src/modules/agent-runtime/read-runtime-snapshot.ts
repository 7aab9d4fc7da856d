import type { operations } from '@finhook/contracts';
import { reachesCompany } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findAgent } from '../agents/find-agent.ts';
import { RuntimeSnapshot } from './runtime-snapshot.entity.ts';

type Op = typeof operations.runtimeSnapshots.get;

/**
 * Reads where an agent's runtime stands. A key that is narrowed to companies sees a snapshot of one of them, or of no
 * company when it reaches all that the agent works for.
 */
export async function getRuntimeSnapshot(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const { agent, isWhole } = await findAgent(context, input.agent_id);
  const snapshot = await context.database
    .em()
    .findOne(RuntimeSnapshot, { agentId: agent.id, accountId: context.accountId });
  const isKnown = (companyId: string | null | undefined): boolean =>
    companyId == null ? isWhole || context.scope === 'agent' : reachesCompany(context, companyId);
  if (!snapshot || !isKnown(snapshot.companyId)) throw notFound('runtime snapshot');
  return snapshot.toRecord();
}
