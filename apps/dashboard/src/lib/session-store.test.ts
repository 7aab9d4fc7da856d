// Risk: somebody signs in with a valid key and is told that the browser rejected the cookie, or stays at an address of another account.
import { expect, test } from 'vitest';
import { createSessionStore } from './session-store.ts';

test('a sign-in before the first load has ended waits for it and finds the new session', async () => {
  const first = Promise.withResolvers<Response>();
  let isSignedIn = false;
  const store = createSessionStore(
    () => undefined,
    async (_path, init) => {
      if (init?.method === 'POST') isSignedIn = true;
      else if (!isSignedIn) return first.promise;
      return Response.json({ id: 'ses_1' });
    },
  );
  const loaded = store.load();
  const signedIn = store.signIn('sk_test_x');
  await new Promise(setImmediate);
  first.resolve(new Response(null, { status: 401 }));
  expect(await loaded).toBeNull();
  await signedIn;
  expect(store.current()).toMatchObject({ id: 'ses_1' });
});

test('another session is told apart from one of another account', async () => {
  let now = { id: 'ses_1', account: { id: 'acct_1' } };
  const told: boolean[] = [];
  const store = createSessionStore(
    (isOtherAccount) => void told.push(isOtherAccount),
    async () => Response.json(now),
  );
  await store.ask();
  await store.ask();
  now = { ...now, id: 'ses_2' };
  await store.ask();
  now = { id: 'ses_3', account: { id: 'acct_2' } };
  await store.ask();
  expect(told).toEqual([false, true]);
});
