import { webhookIdPattern } from './webhook-id-pattern.ts';

/** Throws RangeError unless it is whole unix seconds. From 1e11 on (the year 5138) it is milliseconds by mistake. */
export function assertWholeSeconds(timestamp: number): void {
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp >= 1e11) {
    throw new RangeError(`timestamp must be whole unix seconds, got ${timestamp}`);
  }
}

/** Throws RangeError for an id whose signed content could be cut in two places. */
export function assertWebhookId(id: string): void {
  if (!webhookIdPattern.test(id)) throw new RangeError('webhook id must be printable ASCII without a full stop');
}
