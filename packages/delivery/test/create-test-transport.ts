import { onTestFinished } from 'vitest';
import type { PreparedRequest } from '../src/transport/prepare-request.ts';
import type { SendResponse, SendResult } from '../src/transport/send-result.ts';
import { createTransport, type Transport, type TransportOptions } from '../src/transport/transport.ts';

/** A transport that may call loopback addresses, closed at the end of the test. */
export function createTestTransport(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({ policy: { allowInsecure: true }, timeoutMs: 5000, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

export function requestTo(url: string, body = '{"id":"evt_1"}'): PreparedRequest {
  return { url, headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: Buffer.from(body) };
}

export function asResponse(result: SendResult): SendResponse {
  if (result.kind === 'error') throw new Error(`${result.errorClass}: ${result.message}`);
  return result;
}
