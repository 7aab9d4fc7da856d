// Risk: a directive is reported twice or never, counts although it was suspended, or returns after it was resolved.
import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../../test/agent-fixture.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import type { Context } from '../../../verbs/context.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import { createAgent } from '../../agents/create.ts';
import { createCompany } from '../../companies/create.ts';
import { createCase } from '../case.ts';
import { createDirective, getDirective, listDirectives } from './directive.ts';
import { resolveDirective, resumeDirective, suspendDirective } from './move.ts';

type NewDirective = InputOf<typeof operations.directives.create>;
type Filter = Omit<Partial<InputOf<typeof operations.directives.list>>, 'company_id'>;

const clock = createTestClock('2027-01-15T12:00:00.000Z');
const fixture = useFixture(clock);
let given: AgentFixture;
let context: Context;
let company_id: string;
beforeEach(async () => {
  clock.advance(1000);
  given = await openAgent(fixture);
  ({ context, company_id } = given);
});

const issue = (more: Partial<NewDirective> = {}, who = context) =>
  createDirective(who, { company_id, title: 'Ask first', ...more });
const list = (more: Filter = {}) => listDirectives(context, { company_id, limit: 50, order: 'desc', ...more });

/** The event types with their previous status, and the number of audit rows. */
async function traceOf(id: string) {
  const { events, audits } = await given.traceOf(id);
  return {
    events: events.map(({ type, data }) => [type, data['previous_status']]),
    audits: audits.map(({ action }) => action),
  };
}

describe('issuing', () => {
  test('cases and agents must belong to the company, and the due date must be near enough', async () => {
    const second = (await createCompany(context, { name: 'Second' })).id;
    const foreign = (await createCase(context, { company_id: second, title: 'Theirs' })).id;
    const stray = (await createAgent(context, { name: 'Stray', provider: 'x', company_id: second })).id;
    const faults: [Partial<NewDirective>, string, string][] = [
      [{ case_id: foreign }, '/case_id', 'record_not_found'],
      [{ case_id: 'case_x' }, '/case_id', 'record_not_found'],
      [{ agent_id: stray }, '/agent_id', 'agent_not_found'],
      [{ due_at: '1969-12-31T23:59:59Z' }, '/due_at', 'date_out_of_range'],
      [{ due_at: '2040-01-01T00:00:00Z' }, '/due_at', 'date_out_of_range'],
      [{ due_at: '9999-12-31T23:59:59-12:00' }, '/due_at', 'date_out_of_range'],
      [{ due_at: '0001-01-01T00:00:00+12:00' }, '/due_at', 'date_out_of_range'],
    ];
    for (const [more, pointer, code] of faults) {
      await expect(issue(more)).rejects.toMatchObject({ code: 'validation_failed', fields: [{ pointer, code }] });
    }
    expect((await list()).data).toEqual([]);
    expect(await issue({ due_at: '2020-01-01T00:00:00Z' })).toMatchObject({ due_at: '2020-01-01T00:00:00.000Z' });
  });
});

describe('moves', () => {
  test('a directive is suspended with a reason, resumed without one, and resolved with a resolution', async () => {
    const { id: directive_id, issued_at } = await issue();
    clock.advance(1000);
    expect(await suspendDirective(context, { directive_id, reason: 'Review' })).toMatchObject({
      status: 'suspended',
      suspended_at: clock.now().toISOString(),
      suspended_reason: 'Review',
    });
    expect(await suspendDirective(context, { directive_id, reason: 'Other' })).toMatchObject({
      suspended_reason: 'Review',
    });
    clock.advance(1000);
    const resumed = await resumeDirective(context, { directive_id });
    expect(resumed).toMatchObject({ status: 'issued', suspended_at: null, suspended_reason: null, issued_at });
    await suspendDirective(context, { directive_id });
    const resolved = await resolveDirective(context, { directive_id, resolution: 'cancelled', note: 'No need' });
    expect(resolved).toMatchObject({
      status: 'resolved',
      resolved_at: clock.now().toISOString(),
      resolution: 'cancelled',
      resolution_note: 'No need',
    });
    const { events } = await given.traceOf(directive_id);
    expect(events.map(({ type, data }) => [type, data['previous_status'], data['resumed']])).toEqual([
      ['directive.issued', null, false],
      ['directive.suspended', 'issued', undefined],
      ['directive.issued', 'suspended', true],
      ['directive.suspended', 'issued', undefined],
      ['directive.resolved', 'suspended', undefined],
    ]);
  });

  test('the default resolution is completed, and a repeat with another one gets a warning', async () => {
    const { id: directive_id } = await issue();
    const first = await resolveDirective(context, { directive_id });
    expect(first).toMatchObject({ resolution: 'completed', resolution_note: null });
    expect(first).not.toHaveProperty('warnings');
    expect(await resolveDirective(context, { directive_id, resolution: 'completed' })).toEqual(first);
    const { warnings, ...again } = await resolveDirective(context, {
      directive_id,
      resolution: 'superseded',
      note: 'New',
    });
    expect(again).toEqual(first);
    expect(warnings?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['already_resolved', '/resolution'],
      ['already_resolved', '/note'],
    ]);
    expect((await traceOf(directive_id)).audits).toHaveLength(2);
  });

  test('concurrent suspension and resolution emit consistent events', async () => {
    const { id: directive_id } = await issue();
    await Promise.all(Array.from({ length: 2 }, () => getDirective(context, { directive_id })));
    const [suspension] = await Promise.allSettled([
      suspendDirective(context, { directive_id }),
      resolveDirective(context, { directive_id }),
    ]);
    const { events } = await traceOf(directive_id);
    expect(events).toEqual(
      suspension.status === 'fulfilled'
        ? [
            ['directive.issued', null],
            ['directive.suspended', 'issued'],
            ['directive.resolved', 'suspended'],
          ]
        : [
            ['directive.issued', null],
            ['directive.resolved', 'issued'],
          ],
    );
  });
});
