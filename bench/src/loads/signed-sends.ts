import { createTransport, prepareRequest } from '@finhook/delivery';
import { createSigner } from '@finhook/signing';
import type { LoadResult, SignedSendsLoad } from './load.ts';
import { runClosedLoop } from './loops.ts';

/** Any secret works: the receiver does not verify. */
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Signs and sends deliveries through the worker's transport, without claiming and recording. */
export async function runSignedSends(load: SignedSendsLoad): Promise<LoadResult> {
  const { url, connections, warmupMs, durationMs } = load;
  const transport = createTransport({ policy: { allowInsecure: true }, connectionsPerOrigin: connections });
  const target = { url, signer: createSigner(secret), overlapSigners: [], headers: undefined };
  const body = Buffer.from(load.body);
  const result = await runClosedLoop({
    callers: connections,
    warmupMs,
    durationMs,
    work: async (n) => {
      const tail = String(n).padStart(26, '0');
      const ids = { id: `dlv_${tail}`, eventId: `evt_${tail}`, eventType: 'bank.balance.updated' };
      const request = prepareRequest({ ...ids, attempt: 1, body, test: false }, target, new Date());
      const sent = await transport.send(request);
      if (sent.kind !== 'response' || sent.statusCode !== 200)
        throw new Error('The receiver did not respond with 200.');
    },
  });
  await transport.close();
  return result;
}
