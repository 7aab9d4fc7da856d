// Risk: an approval that expires today stands among those that can wait.
import { expect, test } from 'vitest';
import type { Waiting } from '../../components/shell/inbox.ts';
import { partial } from '../../test/partial.ts';
import { groupsOf, waitingText } from './inbox.view.ts';

const waits = (id: string, expires_at: string | null) => partial<Waiting>({ id, expires_at });

test('approvals are grouped by the day of their deadline in the company’s time zone, in the order of the list', () => {
  const inbox = [
    waits('apr_1', '2026-03-01T18:00:00.000Z'),
    waits('apr_2', '2026-03-02T04:59:00.000Z'),
    waits('aap_3', '2026-03-02T05:00:00.000Z'),
    waits('aap_4', null),
  ];
  const idsOf = (list: readonly Waiting[]) =>
    groupsOf(list, '2026-03-01', 'America/New_York').map(({ title, waiting }) => [title, waiting.map(({ id }) => id)]);
  expect(idsOf(inbox)).toEqual([
    ['Expires today', ['apr_1', 'apr_2']],
    ['Later', ['aap_3']],
    ['No deadline', ['aap_4']],
  ]);
  expect(idsOf(inbox.slice(3))).toEqual([['No deadline', ['aap_4']]]);
});

test('what waits is a line: the title of a request, and the amount of a wire with its beneficiary', () => {
  const wire = partial<Waiting>({ kind: 'wire', title: 'Landlord', amount_cents: 4_820_000, currency: 'USD' });
  expect(waitingText(wire)).toBe('Wire of $48,200.00 to Landlord');
  expect(waitingText(partial<Waiting>({ kind: 'agent_request', title: 'Pay the invoice' }))).toBe('Pay the invoice');
});
