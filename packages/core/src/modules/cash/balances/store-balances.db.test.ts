// Risk: the event that the statement completes differs from the JSON of the api.
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { getEvent } from '../../events/read.ts';
import { upsertCashBalance } from './upsert.ts';

const fixture = useFixture();
const { context } = fixture;

test.each(['"created_at":"', 'created","cash_on_hand":[]}}', '\\u0001 "\\ü\u2028€', '{}'])(
  'the body of an event is the JSON of its fields when the caller sends %j',
  async (text) => {
    for (const balance_cents of [1, -2]) {
      const input = { company_id: fixture.companyId, as_of: '2026-01-10', balance_cents, currency: 'USD' };
      const stored = await upsertCashBalance(context, { ...input, connection_id: text, source: text });
      const { event_id, id, created_at, updated_at, result, previous_balance_cents } = stored;
      const [row] = await context.database.query<{ body: string }>('SELECT body FROM event WHERE id = $1', [event_id]);
      const { data, ...envelope } = await getEvent(context, { event_id });
      expect(row?.body).toBe(JSON.stringify({ ...envelope, data }));
      const known = balance_cents === -2 ? { previous_balance_cents } : {};
      expect(data).toMatchObject({ id, created_at, updated_at, result, source: text, connection_id: text, ...known });
    }
  },
);
