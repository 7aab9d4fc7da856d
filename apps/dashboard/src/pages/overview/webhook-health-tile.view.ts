import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

type Health = Outputs['webhookEndpoints']['health'];
type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

/**
 * The share of attempted deliveries that succeeded, in percent, rounded down to one decimal so that 100 % means all.
 * Undefined if nothing was attempted yet.
 */
export function deliveredShare({ succeeded, failed, retrying }: Health): string | undefined {
  const tried = succeeded + failed + retrying;
  if (tried === 0) return undefined;
  const tenths = Math.floor((succeeded * 1000) / tried);
  return tenths === 1000 ? '100%' : `${Math.floor(tenths / 10)}.${tenths % 10}%`;
}

export function unhealthyReason({
  status,
  disabled_reason,
  health,
  consecutive_failures,
}: Endpoint): string | undefined {
  if (status === 'disabled' && disabled_reason !== 'manual') {
    return disabled_reason === 'gone' ? 'Disabled: responded 410 Gone' : 'Disabled after failing for too long';
  }
  const failures = plural(consecutive_failures, 'failure', 'failures in a row');
  if (status === 'paused' && consecutive_failures > 0) return `Paused after ${failures}`;
  if (status !== 'active') return undefined;
  if (health.state !== 'closed') return 'Unreachable. Deliveries are on hold';
  return consecutive_failures > 0 ? failures : undefined;
}
