// Risk: what was claimed for an endpoint that can't be loaded stays leased, and counts an attempt with each look at it.
import type { Target } from '@finhook/core';
import { expect, test } from 'vitest';
import { delivery, target } from '../../test/slice-fixture.ts';
import { createSignerCache } from '../signer-cache.ts';
import { loadEndpoint } from './load-endpoint.ts';

const sealed = () => {
  throw new Error('It was sealed with another key.');
};

function setUp(loadTarget: () => Promise<Target | undefined>) {
  const released: string[] = [];
  const store = {
    loadTarget,
    release: async (claims: readonly { deliveryId: string }[]) =>
      void released.push(...claims.map(({ deliveryId }) => deliveryId)),
  };
  const load = (claiming = Promise.resolve([delivery(0), delivery(1)])) =>
    loadEndpoint({ store, signers: createSignerCache(10) }, 'we_1', claiming);
  return { released, load };
}

test.each([
  ['cannot be loaded', () => Promise.reject(new Error('away')), 'away'],
  ['has a secret that cannot be decrypted', async () => ({ ...target, secret: { id: 's', open: sealed } }), 'sealed'],
  ['has headers that cannot be decrypted', async () => ({ ...target, headers: { id: 'h', open: sealed } }), 'sealed'],
])('what was claimed for an endpoint that %s is given back', async (_what, loadTarget, message) => {
  const { released, load } = setUp(loadTarget);
  await expect(load()).rejects.toThrow(message);
  expect(released).toEqual(['dlv_0', 'dlv_1']);
});

test('when the claim fails, too, the first error is told', async () => {
  const { load } = setUp(() => Promise.reject(new Error('away')));
  await expect(load(Promise.reject(new Error('also away')))).rejects.toThrow(/^away$/u);
});

test('claims of an endpoint that is loaded stay claimed', async () => {
  const { released, load } = setUp(async () => target);
  expect(await load()).toMatchObject({ target, address: { url: target.url } });
  expect(released).toEqual([]);
});
