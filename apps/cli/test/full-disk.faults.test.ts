// Risk: while PostgreSQL's disk is full, the service reports ready or loses accepted events, or it needs a restart
// afterwards.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccount, openCore } from '@finhook/core';
import { startEmbeddedPostgres } from '@finhook/embedded';
import { redisServerBinary, startRedis } from '@finhook/testing';
import { afterAll, expect, test } from 'vitest';
import { openCommandLine } from './finhook/run-finhook.ts';
import { secretsKey, startService } from './service-process.ts';

const disk = mkdtempSync(join(tmpdir(), 'finhook-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=224m', 'none', disk]).status === 0;
if (!isMounted) console.warn('\n  !! No file system can be mounted: a full disk is NOT tested. !!\n');
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true });
});

const filler = join(disk, 'filler');
/** Until no byte is left. */
function fill(): void {
  const file = openSync(filler, 'a');
  try {
    for (const size of [2 ** 20, 4096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size, 1));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}

test.runIf(isMounted && redisServerBinary() !== null)(
  'a full disk: 503 with Retry-After, readiness says so, and all that was accepted is there later',
  {
    timeout: 120_000,
  },
  async () => {
    await using opened = new AsyncDisposableStack();
    chmodSync(disk, 0o777);
    const settings = { max_wal_size: '64MB', min_wal_size: '64MB' };
    const postgres = opened.adopt(
      await startEmbeddedPostgres({ dataDir: join(disk, 'data'), port: 0, durable: false, settings }),
      (server) => server.stop(),
    );
    const redis = opened.adopt(await startRedis(), (server) => server.stop());
    const databaseUrl = postgres.url('postgres');
    const core = opened.adopt(
      await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true }),
      ({ database }) => database.close(),
    );
    await core.database.migrate();
    const api = opened.adopt(startService('api', { databaseUrl, queueUrl: redis.url }), (each) => each.kill());
    const url = await api.ready;
    const { apiKey } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });

    const post = async (name: string) => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': name.replace(' ', '-'),
      };
      const body = JSON.stringify({ name, metadata: { note: 'x'.repeat(400) } });
      const { status, headers: answered } = await fetch(`${url}/api/v1/companies`, { method: 'POST', headers, body });
      return { status, retryAfter: answered.get('retry-after') };
    };
    const readiness = async () => {
      const response = await fetch(`${url}/readyz`);
      return [response.status, await response.json()];
    };
    const full = { status: 'not ready', checks: { database: 'writes fail', queue: 'ok' } };
    const ready = { status: 'ready', checks: { database: 'ok', queue: 'ok' } };

    await expect.poll(readiness).toEqual([200, ready]);
    fill();
    const names = Array.from({ length: 2_000 }, (_, i) => `Company ${i}`);
    const [accepted, rejected]: [string[], string[]] = [[], []];
    for (const name of names) {
      const { status, retryAfter } = await post(name);
      if (status === 201) accepted.push(name);
      else {
        expect([status, retryAfter]).toEqual([503, '5']);
        rejected.push(name);
      }
      if (rejected.length === 10) break;
    }
    expect(rejected).toHaveLength(10);
    // Failing posts keep the suspicion alive, as traffic does.
    const keepPosting = async () => {
      await post(rejected[0] ?? '');
      return readiness();
    };
    await expect.poll(keepPosting, { timeout: 10_000 }).toEqual([503, full]);
    const finhook = openCommandLine({ FINHOOK_URL: url, FINHOOK_API_KEY: apiKey });
    opened.defer(() => finhook.remove());
    expect((await finhook.run('doctor')).stdout).toMatch(/^failed +ready .*writes fail/m);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);

    rmSync(filler);
    await expect.poll(readiness, { timeout: 30_000 }).toEqual([200, ready]);
    for (const name of rejected) {
      await expect.poll(async () => (await post(name)).status, { timeout: 30_000 }).toBe(201);
    }
    const stored = await core.database.owner.query<{ name: string }>(
      "SELECT name FROM company WHERE name LIKE 'Company %'",
    );
    expect(stored.map(({ name }) => name).toSorted()).toEqual([...accepted, ...rejected].toSorted());
    const events = await core.database.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM event WHERE type = 'company.created' AND body::text ~ '"name": ?"Company '`,
    );
    expect(events).toEqual([{ n: stored.length }]);
  },
);
