// Risk: a form, filter or refresh made from the catalogue that knows less than the operations table.
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { allEventTypes, eventDefinition } from './events/index.ts';
import { derivedFrom, jobEvents } from './operations/groups.ts';
import { operationList } from './operations/index.ts';

const entries = catalogue();
const fieldsOf = (id: string) => entries.find((entry) => entry.id === id)?.input ?? [];
const fieldOf = (id: string, name: string) => fieldsOf(id).find((field) => field.name === name);

/** The interface, section 4. */
const interfaceEvents = `
  company.created company.updated company.dissolved company.formation.step_completed agent.linked
  agent.updated agent.paused agent.resumed agent.unlinked filing.due
  filing.submitted compliance.resynced api_key.created api_key.revoked case.comment_posted
  directive.issued directive.suspended directive.resolved bank.connected bank.connection.linked
  bank.connection.secret_configured bank.connection.disconnected bank.transaction.posted bank.balance.updated bank.approval.required
  partner.sync_completed financial.snapshot.updated agent.action.logged agent.action.completed agent.action.failed
  agent.action.blocked agent.approval.requested agent.approval.decided agent.flag.created agent.flag.resolved
  partner.runtime.snapshot.updated webhook_endpoint.failing
`;

test('every event type of the interface is in the catalogue', () => {
  expect(allEventTypes).toEqual(expect.arrayContaining(interfaceEvents.trim().split(/\s+/)));
});

test('every operation is in it, as plain JSON', () => {
  expect(entries.map(({ id }) => id)).toEqual(operationList.map(({ id }) => id));
  expect(JSON.parse(JSON.stringify(entries))).toEqual(entries);
});

test('fields carry their type, options, limits and unit, behind null and references', () => {
  expect(fieldOf('directives.create', 'priority')).toMatchObject({
    type: 'enum',
    nullable: true,
    options: ['low', 'normal', 'high', 'critical'],
  });
  expect(fieldOf('directives.create', 'due_at')?.type).toBe('instant');
  expect(fieldOf('filings.create', 'due_date')).toMatchObject({ type: 'date', required: true });
  expect(fieldOf('cash.balances.upsert', 'balance_cents')).toMatchObject({ type: 'integer', unit: 'minor_units' });
  expect(fieldOf('bank.wires.create', 'beneficiary')).toMatchObject({ type: 'object', required: true });
  expect(fieldOf('apiKeys.create', 'permissions')).toMatchObject({ type: 'list', min: 1, max: 100 });
  expect(fieldOf('apiKeys.create', 'permissions')?.options).toContain('keys:write');
  expect(fieldOf('agentActions.create', 'input')?.type).toBe('json');
  const isCaseless = (name: string) => fieldOf('webhookEndpoints.update', name)?.caselessKeys;
  expect([isCaseless('headers'), isCaseless('metadata')]).toEqual([true, undefined]);
});

test('an input of several forms has the fields of all, and requires what each of them requires', () => {
  const fields = fieldsOf('bank.transactions.ingest');
  expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['company_id', 'transactions', 'posted_at']));
  expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['company_id']);
});

test.each(allEventTypes)('%s is emitted by an operation, or by a job about a part of the table', (type) => {
  const emitted = entries.flatMap(({ emits }) => emits);
  expect([...emitted, ...Object.values(jobEvents).flat()]).toContain(type);
});

test('dependencies name parts of the table that exist', () => {
  const named = [
    ...Object.entries(derivedFrom).flatMap(([part, sources]) => [part, ...sources]),
    ...Object.keys(jobEvents),
  ];
  for (const part of named) expect(operationList.some(({ id }) => id.startsWith(`${part}.`))).toBe(true);
});

test.each(allEventTypes)('the sample of %s fits its schema', (type) => {
  const { data, sample } = eventDefinition(type);
  expect(data.parse(sample)).toEqual(sample);
});
