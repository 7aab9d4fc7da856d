// Risk: a user is offered a decision that is not theirs, or reads that a wire goes through when it will wait.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  approvalNeed,
  choicesOf,
  formatTimeLeft,
  samePersonNote,
  statusOf,
  type Wire,
  whyNotDecide,
  wireAmount,
} from './approval.view.ts';

const at = '2026-03-01T10:00:00.000Z';
const wire = partial<Wire>({
  status: 'pending',
  required_approvals: 1,
  reviews: [],
  requested_by: { type: 'api_key', id: 'key_a', person_id: 'key_a' },
});
const other = { keyId: 'key_b', mayDecide: true };

test("another person can decide; the requester reads why they can't, and who can", () => {
  expect(whyNotDecide(wire, other)).toBeUndefined();
  expect(whyNotDecide(wire, { keyId: 'key_a', mayDecide: true })).toEqual({
    text: 'You can’t approve your own wire. Ask a colleague to approve it.',
    asksColleague: true,
  });
});

test("a reviewer who decided before, and a key without permission, can't decide", () => {
  const reviews = [
    { reviewer: { ...wire.requested_by, id: 'key_b' }, decision: 'approve' as const, comment: null, at },
  ];
  expect(whyNotDecide({ ...wire, required_approvals: 2, reviews }, other)?.text).toMatch(/already/);
  expect(whyNotDecide(wire, { ...other, mayDecide: false })?.text).toMatch(/approvals:write/);
});

test.each(['approved', 'rejected', 'expired', 'cancelled'] as const)(
  'a wire that is %s needs no decision',
  (status) => {
    expect(whyNotDecide({ ...wire, status }, other)).toBeDefined();
  },
);

test('a rejected wire is denied for people; other states are called what they are', () => {
  expect(statusOf({ status: 'rejected' })).toBe('denied');
  expect(statusOf({ status: 'expired' })).toBe('expired');
  expect(whyNotDecide({ ...wire, status: 'rejected' }, other)?.text).toMatch(/^Denied/);
});

test('a wire below the threshold needed no approval', () => {
  expect(whyNotDecide({ ...wire, status: 'approved', required_approvals: 0 }, other)?.text).toMatch(
    /below the threshold/i,
  );
});

test.each([
  [999_999, 'USD', 'below'],
  [1_000_000, 'USD', 'reaches'],
  [1, 'EUR', 'other_currency'],
] as const)('a wire of %i %s: %s', (cents, currency, need) => {
  const company = { base_currency: 'USD', wire_approval_threshold_cents: 1_000_000 };
  expect(approvalNeed({ cents, currency }, company)).toBe(need);
});

test.each([
  [0, undefined],
  [-1, undefined],
  [59_999, 'under a minute'],
  [60_000, '1 min'],
  [3_600_000, '1 h 0 min'],
  [86_399_000, '23 h 59 min'],
  [86_400_000, '1 d 0 h'],
  [259_200_000, '3 d 0 h'],
])('%i ms before the end: %s', (left, text) => {
  expect(formatTimeLeft(at, Date.parse(at) - left)).toBe(text);
});

test.each([
  [[], [], ['approve', 'deny']],
  [
    ['Pay now', 'Pay on Monday'],
    ['approve', 'approve'],
    ['approve Pay now', 'approve Pay on Monday', 'deny'],
  ],
  [
    ['Pay', 'Ask first', 'Deny'],
    ['approve', 'approve', 'deny'],
    ['approve Pay', 'approve Ask first', 'deny Deny'],
  ],
  [['Stop'], ['deny'], ['deny Stop']],
] as const)('the options %j (%j) are the choices %j', (options, option_decisions, expected) => {
  const choices = choicesOf({ options: [...options], option_decisions: [...option_decisions] });
  expect(choices.map(({ decision, option }) => (option === undefined ? decision : `${decision} ${option}`))).toEqual(
    expected,
  );
});

test('a decision by the person whose key made the request says so; one by another or an unknown person does not', () => {
  const by = (person_id: string | null) => ({ type: 'agent' as const, id: 'agent_1', person_id });
  const note = (asked: string | null, decided: string | null) =>
    samePersonNote({ requested_by: by(asked), decided_by: by(decided) });
  expect(note('key_a', 'key_a')).toMatch(/^The same person/);
  expect([note('key_a', 'key_b'), note(null, null), note(null, 'key_a')]).toEqual([undefined, undefined, undefined]);
  expect(samePersonNote({ requested_by: by('key_a'), decided_by: null })).toBeUndefined();
});

test.each(['0', '-5', '0.00'])('the amount %s is rejected', (text) => {
  expect(wireAmount(text, 'USD')).toEqual({ fault: 'Enter an amount above zero.' });
});

test('any other amount of a wire is parsed as money', () => {
  expect(wireAmount('0.01', 'USD')).toEqual({ cents: 1 });
  expect(wireAmount('0.001', 'USD')).toHaveProperty('fault');
});
