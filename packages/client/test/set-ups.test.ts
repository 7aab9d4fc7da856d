// Risk: a misconfigured receiver says only that the signature is wrong.
import { expect, test } from 'vitest';
import type { Listening } from './listen.ts';
import { exampleBehindParser, type SetUp, setUps } from './set-ups.ts';
import { post, type SignedDelivery, secretOf, signedDelivery } from './signed-delivery.ts';

const event = {
  id: 'evt_01kgw3q2m8v7d5n0r4t6x9zabc',
  type: 'bank.balance.updated',
  created_at: '2026-03-01T09:00:00.000Z',
  account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
  data: { label: 'Zürich' },
};

async function responseTo(start: Promise<Listening>, delivery: SignedDelivery) {
  const running = await start;
  const response = await post(running.url, delivery);
  await running.close();
  return response;
}

test.for([...setUps])('$name: $verdict', async ({ start, verdict }: SetUp) => {
  const delivery = signedDelivery(event, { secrets: [secretOf(1)] });
  expect(await responseTo(start(secretOf(1)), delivery)).toMatchObject({ text: verdict });
});

test('the example for Express behind express.json() names what is wrong', async () => {
  const delivery = signedDelivery(event, { secrets: [secretOf(1)] });
  expect(await responseTo(exampleBehindParser(secretOf(1)), delivery)).toEqual({
    status: 400,
    text: 'body_already_parsed',
  });
});
