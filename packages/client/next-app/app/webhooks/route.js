/* oxlint-disable no-restricted-globals, node/no-process-env -- a user's program */
import { webhookHandler } from '../../../examples/next.ts';

/** Hands an event on to the test, which answers whether it was stored. */
async function store(event) {
  const answer = await fetch(process.env.STORE_URL, { method: 'POST', body: JSON.stringify(event) });
  if (!answer.ok) throw new Error('The event could not be stored.');
}

export const POST = webhookHandler(process.env.WEBHOOK_SECRET, store);
