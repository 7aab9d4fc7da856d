import { vi } from 'vitest';
import type { ApiResponse } from './api-client.ts';

/** Repeats a request until it is rejected, and returns that response. */
export function untilRejected(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return vi.waitFor(
    async () => {
      const response = await send();
      if (response.status < 400) throw new Error(`The request still gets ${response.status}.`);
      return response;
    },
    { timeout: 10_000, interval: 10 },
  );
}
