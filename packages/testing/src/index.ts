/**
 * @finhook/testing: test servers and clients for all packages: databases, queue backends, a receiver, a clock.
 *
 * Owns: test servers and their clean-up. Knows no table, entity or verb of finhook; callers bring their migrations.
 * Must not: be imported by anything but tests and the benchmark, or mock a module of this repository.
 */
export { chromiumBinary, compileCache, redisServerBinary } from './env.ts';
export { hostileUrls } from './hostile-urls.ts';
export { makeCertificate, type TestCertificate } from './make-certificate.ts';
export {
  openQueue,
  postgresQueue,
  type QueueBackend,
  type QueueBackendName,
  queueBackends,
  redisGroups,
  startQueueBackend,
} from './queue-backends.ts';
export { readReadyLine } from './read-ready-line.ts';
export { type ConnectProxy, startConnectProxy } from './start-connect-proxy.ts';
export { type DnsRecords, startDnsServer } from './start-dns-server.ts';
export { type FaultProxy, type Hold, startFaultProxy } from './start-fault-proxy.ts';
export { type PostgresGroup, startPostgresGroup } from './start-postgres-group.ts';
export { type ReceivedRequest, type Receiver, type ReceiverResponse, startReceiver } from './start-receiver.ts';
export { redisCommands, startRedis } from './start-redis.ts';
export { startRedisSentinel } from './start-redis-groups.ts';
export { createTestDatabase, ensureTemplate, type TestDatabase, withClient } from './test-database.ts';
export { createTestClock, createTestRandom, type TestClock, type TestRandom } from './test-sources.ts';
