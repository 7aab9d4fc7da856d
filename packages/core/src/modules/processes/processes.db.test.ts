// Risk: an operator believes in workers that are dead, or misses one that lives; or the table grows for ever.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { announceProcess, listProcesses, purgeProcesses, startHeartbeat } from './service-processes.ts';

const fixture = useFixture();
beforeEach(() => fixture.core.database.query('DELETE FROM service_process'));

const report = {
  id: 'proc_1',
  role: 'worker' as const,
  host: 'h1',
  pid: 7,
  version: '0.1.0',
  uptimeMs: 60_000,
  inFlight: 3,
  connections: { busy: 1, idle: 2, waiting: 0 },
};
const age = (id: string, seconds: number) =>
  fixture.core.database.query(
    "UPDATE service_process SET seen_at = seen_at - $2::int * interval '1 second' WHERE id = $1",
    [id, seconds],
  );

test('a process is alive while it says so, gone after 20 s of silence, and forgotten after a day', async () => {
  const { core } = fixture;
  await announceProcess(core, { ...report, id: 'proc_2', role: 'api' });
  await announceProcess(core, report);
  await announceProcess(core, { ...report, uptimeMs: 0, inFlight: 5 });
  const [first, second, ...others] = await listProcesses(core);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ id: 'proc_1', gone: false, inFlight: 5, connections: report.connections });
  expect(second).toMatchObject({ id: 'proc_2', gone: false });
  // It started when it first said so, not at its last report.
  expect((first?.seenAt.getTime() ?? 0) - (first?.startedAt.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);

  await age('proc_1', 18);
  expect((await listProcesses(core))[0]).toMatchObject({ id: 'proc_1', gone: false });
  await age('proc_1', 3);
  expect((await listProcesses(core)).map(({ id, gone }) => [id, gone])).toEqual([
    ['proc_2', false],
    ['proc_1', true],
  ]);
  await purgeProcesses(core);
  expect(await listProcesses(core)).toHaveLength(2);
  await age('proc_1', 86_400);
  await purgeProcesses(core);
  expect((await listProcesses(core)).map(({ id }) => id)).toEqual(['proc_2']);
});

test('a heartbeat says again and again what it is told, and goodbye at its end', async () => {
  const { core } = fixture;
  let inFlight = 1;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const heartbeat = startHeartbeat(core, {
    role: 'worker',
    version: '9',
    inFlight: () => inFlight,
    onError,
    everyMs: 10,
  });
  await expect.poll(() => listProcesses(core)).toMatchObject([{ role: 'worker', pid: process.pid, inFlight: 1 }]);
  inFlight = 2;
  await expect.poll(() => listProcesses(core)).toMatchObject([{ version: '9', inFlight: 2 }]);
  await heartbeat.close();
  expect(await listProcesses(core)).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([await listProcesses(core), errors]).toEqual([[], []]);
});

test('a database that hears nothing stops neither the process nor its end', async () => {
  const errors: unknown[] = [];
  const query = () => Promise.reject(new Error('away'));
  const core = { ...fixture.core, database: { ...fixture.core.database, query } };
  const onError = (error: unknown) => void errors.push(error);
  const heartbeat = startHeartbeat(core, { role: 'api', version: '9', onError, everyMs: 1 });
  await expect.poll(() => errors.length).toBeGreaterThan(2);
  await heartbeat.close();

  const hung = { ...fixture.core, database: { ...fixture.core.database, query: () => new Promise<never>(() => {}) } };
  await startHeartbeat(hung, { role: 'api', version: '9', onError, closeMs: 20 }).close();
});
