// Risk: a peer is measured on another event, or without a delivery that the receiver can count.
import { expect, test } from 'vitest';
import { peerEvent } from './peer.ts';
import { peers } from './peers.ts';

const event = peerEvent(2, 17);
const sent = (name: keyof typeof peers) => {
  const { path, body } = peers[name].post('tenant_1', event);
  return { path, body: JSON.parse(body) as unknown };
};

test('each post of a series is an event of its own, and all are as long', () => {
  expect(JSON.parse(event)).toMatchObject({ id: 'evt_00020000000000000000000017', type: 'bank.balance.updated' });
  expect(peerEvent(2, 18)).not.toBe(event);
  expect(peerEvent(3, 1_000_000)).toHaveLength(event.length);
});

test('Svix gets the event as the payload of a message, and does not repeat it in its response', () => {
  expect(sent('svix')).toEqual({
    path: '/api/v1/app/tenant_1/msg/?with_content=false',
    body: { eventType: 'bank.balance.updated', payload: JSON.parse(event) },
  });
});

test('Outpost gets the event as the data of a topic', () => {
  expect(sent('outpost')).toEqual({
    path: '/api/v1/publish',
    body: { tenant_id: 'tenant_1', topic: 'bank.balance.updated', data: JSON.parse(event) },
  });
});
