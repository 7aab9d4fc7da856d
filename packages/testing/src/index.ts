/**
 * @finhook/testing: what the tests of every package need from outside: databases, queue backends, a receiver, a clock.
 *
 * Owns: test servers and their clean-up. Knows no table, entity or verb of finhook; callers bring their migrations.
 * Must not: be imported by anything but tests and the benchmark, or replace a module of ours by a mock.
 */
import './provided-context.ts';

export { chromiumBinary } from './chromium-binary.ts';
export { createTestClock, type TestClock } from './create-test-clock.ts';
export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { createTestIds } from './create-test-ids.ts';
export { createTestRandom, type TestRandom } from './create-test-random.ts';
export { ensureTemplate } from './ensure-template.ts';
export { testEnv } from './env.ts';
export { hostileUrls } from './hostile-urls.ts';
export { makeCertificate, type TestCertificate } from './make-certificate.ts';
export {
  type QueueBackend,
  type QueueBackendName,
  queueBackends,
  type RedisGroupName,
  redisGroups,
  startQueueBackend,
} from './queue-backends.ts';
export type { ReceivedRequest, ReceiverResponse } from './receiver-response.ts';
export { redisCommands } from './redis-commands.ts';
export { type ConnectProxy, type ConnectProxyOptions, startConnectProxy } from './start-connect-proxy.ts';
export { type CuttingProxy, type Hold, startCuttingProxy } from './start-cutting-proxy.ts';
export { type DnsRecords, type DnsServer, startDnsServer } from './start-dns-server.ts';
export { type Receiver, startReceiver } from './start-receiver.ts';
export { type RedisServer, redisServerBinary, startRedis } from './start-redis.ts';
export { type RedisCluster, startRedisCluster } from './start-redis-cluster.ts';
export { type RedisSentinel, startRedisSentinel } from './start-redis-sentinel.ts';
export { withClient } from './with-client.ts';
