import { type EventType, type Operation, operations } from '@finhook/contracts';
import type { output } from 'zod';
import type { Input } from './api-client.ts';
import type { Tenant } from './api-fixture.ts';

/** What brings an event about, over REST: returns the `id` that the event's `data` has, or the id of its company. */
export type Cause = (stage: Stage) => Promise<string>;

/** A tenant whose records are made as they are needed: each cause has records of its own. */
export interface Stage {
  companyId: string;
  /** Where a receiver responds to every delivery with a 500. */
  brokenUrl: string;
  /** Calls an operation with its example; throws when it is rejected. */
  run: Run;
  /** The same as another person. */
  runAsOther: Run;
}

type Run = <O extends Operation>(operation: O, input?: Input) => Promise<output<O['output']>>;

type Actors = Pick<Tenant, 'client' | 'companyId'> & Partial<Pick<Tenant, 'otherPerson'>>;

export function createStage({ client, companyId, otherPerson }: Actors, brokenUrl: string): Stage {
  const runWith =
    (keyOf: () => Promise<string | undefined>): Run =>
    async (operation, input = {}) => {
      const key = await keyOf();
      const options = key === undefined ? {} : { key };
      const response = await client.rest(operation, { ...operation.example, company_id: undefined, ...input }, options);
      if (response.status >= 300) throw new Error(`${operation.id} was rejected: ${response.status} ${response.text}`);
      return response.body;
    };
  return {
    companyId,
    brokenUrl,
    run: runWith(async () => undefined),
    runAsOther: runWith(async () => otherPerson?.()),
  };
}

const { companies, agents, agentActions, agentApprovals, agentFlags, runtimeSnapshots } = operations;
const { filings, compliance, cases, directives, apiKeys, webhookEndpoints, bank, cash, financials } = operations;

type Made = Promise<{ id: string }>;
const company = ({ run }: Stage, input: Input = {}): Made => run(companies.create, input);
const agent = ({ run, companyId: company_id }: Stage): Made => run(agents.create, { company_id });
const filing = ({ run, companyId: company_id }: Stage): Made => run(filings.create, { company_id });
const key = ({ run }: Stage): Made => run(apiKeys.create);
const directive = ({ run, companyId: company_id }: Stage): Made => run(directives.create, { company_id });
const connection = ({ run, companyId: company_id }: Stage): Made => run(bank.connections.create, { company_id });

async function action(stage: Stage, status: 'logged' | 'completed' | 'failed' | 'blocked'): Promise<string> {
  const { id } = await agent(stage);
  const outcome = {
    error: status === 'failed' ? { code: 'smtp_550', message: 'Mailbox unknown' } : undefined,
    blocked: status === 'blocked' ? { reason: 'Not on the list' } : undefined,
  };
  const place = { agent_id: id, company_id: stage.companyId };
  return (await stage.run(agentActions.create, { ...place, status, ...outcome })).id;
}

async function askForApproval(stage: Stage): Promise<string> {
  const { id } = await agent(stage);
  return (await stage.run(agentApprovals.request, { agent_id: id, company_id: stage.companyId })).id;
}

async function raiseFlag(stage: Stage): Promise<string> {
  const { id } = await agent(stage);
  return (await stage.run(agentFlags.create, { agent_id: id, company_id: stage.companyId })).id;
}

async function connectWithSecret(stage: Stage): Promise<string> {
  const { id } = await connection(stage);
  await stage.run(bank.connections.setSecret, { connection_id: id });
  return id;
}

/** Every event type of the catalogue: one without a cause does not compile. */
export const causes: Record<EventType, Cause> = {
  'company.created': async (stage) => (await company(stage)).id,
  'company.updated': async (stage) => {
    const { id } = await company(stage);
    return (await stage.run(companies.update, { company_id: id })).id;
  },
  'company.dissolved': async (stage) => {
    const { id } = await company(stage);
    return (await stage.run(companies.dissolve, { company_id: id })).id;
  },
  'company.formation.step_completed': async (stage) => {
    const { id } = await company(stage, { entity_type: 'llc', status: 'forming' });
    const { formation } = await stage.run(companies.get, { company_id: id });
    await stage.run(companies.formation.completeStep, { company_id: id, step_key: formation.steps[0]?.key });
    return id;
  },
  'agent.linked': async (stage) => (await agent(stage)).id,
  'agent.updated': async (stage) => (await stage.run(agents.update, { agent_id: (await agent(stage)).id })).id,
  'agent.paused': async (stage) => (await stage.run(agents.pause, { agent_id: (await agent(stage)).id })).id,
  'agent.resumed': async (stage) => {
    const { id } = await agent(stage);
    const place = { agent_id: id, company_id: stage.companyId };
    await stage.run(agents.pause, place);
    return (await stage.run(agents.resume, place)).id;
  },
  'agent.unlinked': async (stage) => {
    const { id } = await agent(stage);
    return (await stage.run(agents.detach, { agent_id: id, company_id: stage.companyId })).id;
  },
  'filing.due': async (stage) => (await filing(stage)).id,
  'filing.submitted': async (stage) => (await stage.run(filings.submit, { filing_id: (await filing(stage)).id })).id,
  'compliance.resynced': async (stage) => {
    const { id } = await company(stage, { jurisdiction: 'US-DE', entity_type: 'c_corp' });
    await stage.run(compliance.resync, { company_id: id });
    return id;
  },
  'api_key.created': async (stage) => (await key(stage)).id,
  'api_key.revoked': async (stage) => (await stage.run(apiKeys.revoke, { key_id: (await key(stage)).id })).id,
  'case.comment_posted': async (stage) => {
    const { id } = await stage.run(cases.create, { company_id: stage.companyId });
    return (await stage.run(cases.comments.create, { case_id: id })).id;
  },
  'directive.issued': async (stage) => (await directive(stage)).id,
  'directive.suspended': async (stage) =>
    (await stage.run(directives.suspend, { directive_id: (await directive(stage)).id })).id,
  'directive.resolved': async (stage) =>
    (await stage.run(directives.resolve, { directive_id: (await directive(stage)).id })).id,
  'bank.connected': async (stage) => (await connection(stage)).id,
  'bank.connection.linked': async (stage) => (await connection(stage)).id,
  'bank.connection.secret_configured': connectWithSecret,
  'bank.connection.disconnected': async (stage) =>
    (await stage.run(bank.connections.disconnect, { connection_id: (await connection(stage)).id })).id,
  'bank.transaction.posted': async (stage) => {
    const { id } = await company(stage);
    await stage.run(bank.transactions.ingest, { company_id: id });
    return id;
  },
  'bank.balance.updated': async (stage) => (await stage.run(cash.balances.upsert, { company_id: stage.companyId })).id,
  'bank.approval.required': async (stage) => (await stage.run(bank.wires.create, { company_id: stage.companyId })).id,
  'partner.sync_completed': async (stage) =>
    (await stage.run(bank.connections.sync, { connection_id: await connectWithSecret(stage) })).id,
  'financial.snapshot.updated': async (stage) =>
    (await stage.run(financials.snapshots.upsert, { company_id: stage.companyId })).id,
  'agent.action.logged': (stage) => action(stage, 'logged'),
  'agent.action.completed': (stage) => action(stage, 'completed'),
  'agent.action.failed': (stage) => action(stage, 'failed'),
  'agent.action.blocked': (stage) => action(stage, 'blocked'),
  'agent.approval.requested': askForApproval,
  'agent.approval.decided': async (stage) =>
    (await stage.runAsOther(agentApprovals.decide, { agent_approval_id: await askForApproval(stage) })).id,
  'agent.flag.created': raiseFlag,
  'agent.flag.resolved': async (stage) => (await stage.run(agentFlags.resolve, { flag_id: await raiseFlag(stage) })).id,
  'partner.runtime.snapshot.updated': async (stage) =>
    (await stage.run(runtimeSnapshots.put, { agent_id: (await agent(stage)).id })).id,
  // Five attempts fail, the first at once and four after waits that the worker's scale makes short.
  'webhook_endpoint.failing': async (stage) => {
    const { id } = await company(stage);
    const events = ['company.updated', 'webhook_endpoint.failing'];
    const endpoint = await stage.run(webhookEndpoints.create, { url: stage.brokenUrl, events });
    await stage.run(companies.update, { company_id: id });
    return endpoint.id;
  },
};
