/** housekeeping: what must be made ahead or thrown away on a schedule. */
export { purgeIdempotencyKeys } from './purge-idempotency-keys.ts';
