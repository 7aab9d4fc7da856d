import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from './api-client.ts';

/**
 * Repeats a request until it is rejected, or was sent more than a second after the call, and returns the last response.
 * How long a busy machine takes for one that was sent before says nothing about what the service still allows.
 */
export async function untilRejected(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const end = performance.now() + 1_000;
  for (;;) {
    const isLast = performance.now() > end;
    const response = await send();
    if (isLast || response.status >= 400) return response;
    await delay(20);
  }
}
