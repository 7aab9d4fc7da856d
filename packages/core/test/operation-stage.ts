import { type Operation, operations } from '@finhook/contracts';
import { handlers } from '../src/handlers.ts';
import type { Context } from '../src/verbs/context.ts';
import type { OutputOf, Verb } from '../src/verbs/verb.ts';

export type Input = Record<string, unknown>;

/** The function that `handlers` has for the operation; its place in the tree is the operation's id. */
export function verbOf<O extends Operation>({ id }: O): Verb<O> {
  const verb = id.split('.').reduce<unknown>((tree, name) => Reflect.get(Object(tree), name), handlers);
  return verb as Verb<O>;
}

/** Runs an operation as a front end does, with its example and what `input` adds, replaces or, undefined, removes. */
export async function runOperation<O extends Operation>(
  context: Context,
  operation: O,
  input: Input = {},
): Promise<OutputOf<O>> {
  const sent = Object.entries({ ...operation.example, company_id: undefined, ...input });
  const parsed = operation.input.parse(Object.fromEntries(sent.filter(([, value]) => value !== undefined)));
  return verbOf(operation)(context, parsed as Parameters<Verb<O>>[1]);
}

type Run = <O extends Operation>(operation: O, input?: Input) => Promise<OutputOf<O>>;

/** An account whose records are made as they are needed. */
export interface Stage {
  context: Context;
  companyId: string;
  run: Run;
  /** The same as another person. */
  runAsOther: Run;
}

export function createStage(context: Context, companyId: string): Stage {
  const id = 'key_other';
  const other: Context = { ...context, keyId: id, originId: id, personId: id, actor: { type: 'api_key', id } };
  return {
    context,
    companyId,
    run: (operation, input) => runOperation(context, operation, input),
    runAsOther: (operation, input) => runOperation(other, operation, input),
  };
}

/** Makes what an operation works on; returns the ids that the operation takes. */
export type Prepare = (stage: Stage) => Promise<Input>;

const { companies, agents, agentActions, agentApprovals, agentFlags, filings, cases, directives, bank } = operations;
const { webhookEndpoints, apiKeys } = operations;

const idOf = (record: unknown): unknown => Reflect.get(Object(record), 'id');
/** A record of the stage's company, by the name of its id. */
const made =
  (create: Operation, name: string, input: Input = {}, by: 'run' | 'runAsOther' = 'run'): Prepare =>
  async (stage) => ({ [name]: idOf(await stage[by](create, { company_id: stage.companyId, ...input })) });
/** A record of an agent's work at the stage's company. */
const ofAgent =
  (create: Operation, name: string, input: Input = {}, by: 'run' | 'runAsOther' = 'run'): Prepare =>
  async (stage) => ({ [name]: idOf(await stage[by](create, { ...(await given.binding(stage)), ...input })) });
/** The same record after these moves. */
export const after =
  (prepare: Prepare, ...moves: Operation[]): Prepare =>
  async (stage) => {
    const ids = await prepare(stage);
    for (const move of moves) await stage.run(move, ids);
    return ids;
  };

/** Of the ids, those with these names. */
export const only =
  (prepare: Prepare, ...names: string[]): Prepare =>
  async (stage) => {
    const ids = await prepare(stage);
    return Object.fromEntries(names.map((name) => [name, ids[name]]));
  };

export const url = 'http://127.0.0.1:4010/hook';
const logged = { status: 'logged', blocked: undefined };

type Given =
  | 'company'
  | 'forming'
  | 'agent'
  | 'binding'
  | 'action'
  | 'agentApproval'
  | 'flag'
  | 'filing'
  | 'case'
  | 'directive'
  | 'connection'
  | 'transaction'
  | 'wire'
  | 'endpoint'
  | 'key'
  | 'replay';

/** Records that operations work on. */
export const given: Readonly<Record<Given, Prepare>> = {
  company: async ({ companyId: company_id }) => ({ company_id }),
  forming: async ({ run }) => {
    const { id, formation } = await run(companies.create, { status: 'forming', entity_type: 'llc' });
    return { company_id: id, step_key: formation.steps[0]?.key };
  },
  agent: async ({ run, companyId: company_id }) => ({ agent_id: (await run(agents.create, { company_id })).id }),
  binding: async (stage) => ({ ...(await given.agent(stage)), company_id: stage.companyId }),
  action: ofAgent(agentActions.create, 'action_id', logged),
  agentApproval: ofAgent(agentApprovals.request, 'agent_approval_id', {}, 'runAsOther'),
  flag: ofAgent(agentFlags.create, 'flag_id'),
  filing: made(filings.create, 'filing_id'),
  case: made(cases.create, 'case_id'),
  directive: made(directives.create, 'directive_id'),
  connection: made(bank.connections.create, 'connection_id'),
  transaction: async ({ run, companyId: company_id }) => {
    const { transactions } = await run(bank.transactions.ingest, { company_id });
    return { company_id, transaction_id: transactions[0]?.id };
  },
  wire: made(bank.wires.create, 'approval_id', {}, 'runAsOther'),
  endpoint: async ({ run }) => ({ endpoint_id: (await run(webhookEndpoints.create, { url, events: [] })).id }),
  key: async ({ run }) => ({ key_id: (await run(apiKeys.create)).id }),
  replay: async (stage) => {
    const place = await given.endpoint(stage);
    await stage.run(companies.create);
    return { replay_id: idOf(await stage.run(webhookEndpoints.replay, { ...place, types: undefined })) };
  },
};
