// Risk: a link of the log opens another record, another company's record, or a missing page.
import { expect, test } from 'vitest';
import { isRecordId, recordName, routeOf } from './record-link.tsx';

test.each([
  ['co_1', '/companies/$companyId'],
  ['agent_1', '/agents/$agentId'],
  ['fil_1', '/compliance'],
  ['case_1', '/cases/$caseId'],
  ['dir_1', '/directives'],
  ['conn_1', '/connections/$connectionId'],
  ['apr_1', '/approvals/$approvalId'],
  ['aap_1', '/approvals/$approvalId'],
  ['bal_1', '/balances'],
  ['ing_1', '/transactions'],
  ['fin_1', '/financials'],
  ['key_1', '/settings/keys'],
  ['we_1', '/settings/webhooks/$endpointId'],
  ['dlv_1', '/settings/webhooks'],
  ['evt_1', '/events/$eventId'],
  ['ses_1', '/settings/sessions'],
  ['req_1', '/requests'],
  ['aud_1', '/logs'],
])('%s leads to %s', (id, to) => {
  expect(routeOf({ id })?.to).toBe(to);
});

test('the page of a record shows the company that the record belongs to', () => {
  expect(routeOf({ id: 'bal_1', companyId: 'co_2' })?.search).toEqual({ company: 'co_2', open: 'bal_1' });
  expect(routeOf({ id: 'fil_1', companyId: 'co_2' })?.search).toEqual({ company: 'co_2', filing: 'fil_1' });
});

test('a company and an agent show their stored names, other records their ids', () => {
  expect(recordName({ id: 'co_1', stored: { name: 'Acme' } })).toBe('Acme');
  expect(recordName({ id: 'agent_1', stored: { name: 'Bookkeeper' } })).toBe('Bookkeeper');
  expect(recordName({ id: 'agent_1', stored: null })).toBeUndefined();
  expect(recordName({ id: 'key_1', stored: { name: 'First key' } })).toBeUndefined();
});

test('a child record links to its parent if the log contains it', () => {
  expect(routeOf({ id: 'cmt_1', stored: { case_id: 'case_9' } })).toMatchObject({ params: { caseId: 'case_9' } });
  expect(routeOf({ id: 'act_1', stored: { agent_id: 'agent_9' } })).toMatchObject({ params: { agentId: 'agent_9' } });
  expect(routeOf({ id: 'rpl_1', stored: { endpoint_id: 'we_9' } })).toMatchObject({ params: { endpointId: 'we_9' } });
  expect(routeOf({ id: 'cmt_1', stored: null })).toBeUndefined();
});

test.each(['acct_1', 'toString_1', 'nothing', '', '_'])('%s has no page', (id) => {
  expect(routeOf({ id })).toBeUndefined();
});

test('a complete id is an id; a part of one, a word and an id in capitals are text', () => {
  expect(isRecordId('evt_01kgw3q2m8v7d5n0r4t6x9zabc')).toBe(true);
  expect(isRecordId('evt_01kgw3q2m8v7d5n0r4t6x9zabc', 'req')).toBe(false);
  expect(
    ['evt_01kgw3q2m8v7d5n0r4t6x9zab', 'evt_', 'payroll', 'EVT_01KGW3Q2M8V7D5N0R4T6X9ZABC', 'a evt_01'].map((text) =>
      isRecordId(text),
    ),
  ).toEqual([false, false, false, false, false]);
});
