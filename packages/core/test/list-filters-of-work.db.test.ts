// Risk: a filter of a list of cases, filings, agents or their work selects wrong rows, or a page repeats some.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeAll } from 'vitest';
import { useFixture } from './core-fixture.ts';
import { createStage } from './operation-stage.ts';
import { created, day, dayAfter, equal, instantAfter, pick, search, testList, times } from './test-list.ts';

const { activity, agents, agentActions, agentApprovals, agentFlags, bank, cases, directives, filings } = operations;

const clock = createTestClock(instantAfter(0));
const fixture = useFixture(clock);
const known: Record<string, unknown> = {};
const texts = ['Rent 100%', 'Under_score', 'Back\\slash', 'Plain'];
const priorities = ['low', 'normal', 'high', 'urgent'] as const;
const labels = ['one', 'two'];

beforeAll(async () => {
  const { context, companyId: company_id } = fixture;
  const { run, runAsOther } = createStage(context, company_id);
  const { id: agent_id } = await run(agents.create, { company_id });
  const { id: case_id } = await run(cases.create, { company_id });
  const { id: connection_id } = await run(bank.connections.create, { company_id });
  const place = { agent_id, company_id };
  Object.assign(known, { company_id, agent_id, case_id, connection_id });
  for (let i = 0; i < 14; i++) {
    // One day each, so that two of a kind have different times.
    clock.advance(86_400_000);
    const [text, other] = [pick(texts, i), pick(texts, i + 1 + Math.floor(i / 4))];
    const isOdd = i % 2 === 1;
    const label = pick(labels, i + Math.floor(i / 3));
    const fields = { name: text, email: `${label}_l@example.com`, provider: label };
    const agent = await run(agents.create, { ...fields, ...(isOdd ? { company_id } : {}) });
    const opened = await run(cases.create, {
      company_id,
      title: text,
      description: other,
      priority: pick(priorities, i),
    });
    await run(cases.comments.create, { case_id, visibility: isOdd ? 'internal' : 'public' });
    const severity = pick(['low', 'normal', 'high', 'critical'], i);
    const about = isOdd ? { case_id } : { agent_id };
    const directive = await run(directives.create, {
      company_id,
      title: text,
      body: other,
      priority: severity,
      ...about,
    });
    const type = pick(['annual_report', 'license'], i + Math.floor(i / 3));
    const filing = await run(filings.create, { company_id, type, due_date: dayAfter(i + 3) });
    const connection = await run(bank.connections.create, { company_id, provider: label, external_ref: `ref-${i}` });
    await run(bank.connections.setSecret, { connection_id });
    await context.database.query("UPDATE sync_run SET status = 'failed', finished_at = now() WHERE status = 'running'");
    await run(bank.connections.sync, { connection_id });
    const wire = await runAsOther(bank.wires.create, { company_id });
    const work = {
      ...place,
      type: label,
      run_id: `run-${i % 3}`,
      external_id: `x${i}`,
      status: 'logged',
      blocked: undefined,
    };
    const action = await run(agentActions.create, { ...work, ...(isOdd ? { case_id } : {}) });
    known['action_id'] ??= action.id;
    const approval = await runAsOther(agentApprovals.request, { ...place, ...(isOdd ? { action_id: action.id } : {}) });
    const flag = await run(agentFlags.create, {
      ...place,
      severity: pick(['info', 'warning', 'critical'], i),
      action_id: isOdd ? action.id : known['action_id'],
    });
    clock.advance(3_600_000);
    if (i % 3 > 0) continue;
    await run(agents.pause, { agent_id: agent.id });
    await run(cases.update, { case_id: opened.id });
    await run(directives.suspend, { directive_id: directive.id });
    await run(filings.submit, { filing_id: filing.id });
    await run(bank.connections.disconnect, { connection_id: connection.id });
    await run(bank.approvals.decide, { approval_id: wire.id });
    await run(agentActions.update, { action_id: action.id });
    await run(agentApprovals.decide, { agent_approval_id: approval.id });
    await run(agentFlags.resolve, { flag_id: flag.id });
    known['resource_id'] = flag.id;
  }
});

const company_id = equal('company_id', ['{company_id}', 'co_unknown']);
const action_id = equal('action_id', ['{action_id}', 'act_unknown']);
const case_id = equal('case_id', ['{case_id}', 'case_unknown']);
const status = (...values: string[]) => ({ ...times, status: equal('status', values) });
const inside = (name: string, field: string) => (item: Record<string, unknown>, value: string) =>
  Reflect.get(Object(item[name]), field) === value;
const someOf =
  (name: string, isMeant: (entry: object, value: string) => boolean) =>
  (item: Record<string, unknown>, value: string) =>
    Array.from(Object(item[name]), Object).some((entry) => isMeant(entry, value));

const list = (...[operation, filters]: [Parameters<typeof testList>[0], Parameters<typeof testList>[1]]) =>
  testList(operation, filters, fixture.context, known);
list(agents.list, {
  ...status('active', 'paused'),
  provider: equal('provider', [...labels, 'example']),
  company_id: {
    values: ['{company_id}', 'co_unknown'],
    keeps: someOf('bindings', (binding, value) => Reflect.get(binding, 'company_id') === value),
  },
  q: search('name', 'email'),
});
list(agentActions.list, {
  ...status('logged', 'completed', 'failed'),
  company_id,
  case_id,
  type: equal('type', labels),
  run_id: equal('run_id', ['run-0', 'run-2', 'run-9']),
  external_id: equal('external_id', ['x1', 'X1']),
});
list(agentApprovals.list, { ...status('pending', 'approved', 'expired'), company_id, action_id });
list(agentFlags.list, {
  ...status('open', 'resolved'),
  company_id,
  action_id,
  severity: equal('severity', ['info', 'warning']),
});
list(filings.list, {
  ...status('open', 'submitted'),
  type: equal('type', ['annual_report', 'license', 'income_tax']),
  due_from: day('due_date', (a, b) => a >= b),
  due_to: day('due_date', (a, b) => a <= b),
  overdue: equal('overdue', [true, false]),
});
list(cases.list, {
  ...status('open', 'waiting', 'closed'),
  priority: equal('priority', priorities),
  q: search('title', 'description'),
});
list(cases.comments.list, { ...times, visibility: equal('visibility', ['internal', 'public']) });
list(directives.list, {
  ...status('issued', 'suspended', 'resolved'),
  priority: equal('priority', ['low', 'critical']),
  case_id,
  agent_id: equal('agent_id', ['{agent_id}', 'agent_unknown']),
  q: search('title', 'body'),
});
list(bank.connections.list, {
  ...status('pending', 'active', 'disconnected'),
  provider: equal('provider', labels),
  external_ref: equal('external_ref', ['ref-1', 'REF-1']),
});
list(bank.syncs.list, status('running', 'failed'));
list(bank.approvals.list, status('pending', 'approved', 'expired'));
list(activity.list, {
  ...created,
  actor_id: { values: ['key_test', 'key_other', 'key_x'], keeps: inside('actor', 'id') },
  actor_type: { values: ['api_key', 'system', 'agent'], keeps: inside('actor', 'type') },
  action: equal('action', ['agentFlags.create', 'filings.submit', 'companies.create']),
  type: {
    values: ['filing.submitted', 'agent.flag.created', 'company.dissolved'],
    keeps: someOf('events', (event, value) => Reflect.get(event, 'type') === value),
  },
  company_id,
  resource_id: equal('resource_id', ['{resource_id}', 'flag_unknown']),
});
