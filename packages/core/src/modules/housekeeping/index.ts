/** housekeeping: what must be made ahead or thrown away on a schedule. */
export {
  defaultRetention,
  dropExpiredPartitions,
  type LockPatience,
  type Retention,
  type RetentionReport,
  retentionCutoff,
} from './drop-expired-partitions.ts';
export { purgeIdempotencyKeys } from './purge-idempotency-keys.ts';
export { type RewrapReport, rewrapSecrets } from './rewrap-secrets.ts';
