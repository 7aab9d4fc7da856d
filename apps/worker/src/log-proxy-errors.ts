import { isProxyError } from '@finhook/delivery';
import type { Logger } from '@finhook/runtime';
import type { DeliverEndpoint } from './jobs/deliver-endpoint.ts';

const everyMs = 60_000;

/**
 * Delivers, and logs failures of the outgoing proxy at most once a minute, because each due delivery meets them. The caller
 * logs other errors.
 */
export function logProxyErrors(deliver: DeliverEndpoint, logger: Pick<Logger, 'error'>): DeliverEndpoint {
  let toldAt = Number.NEGATIVE_INFINITY;
  return async (endpointId, signal) => {
    try {
      await deliver(endpointId, signal);
    } catch (err) {
      if (!isProxyError(err)) throw err;
      if (performance.now() - toldAt < everyMs) return;
      toldAt = performance.now();
      logger.error({ err }, 'nothing gets through the outgoing proxy: deliveries wait');
    }
  };
}
