import { accessSync, chmodSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, startEmbeddedPostgres } from '@finhook/embedded';
import type { TestProject } from 'vitest/node';
import { chromiumBinary } from './env.ts';

/** Vitest global setup: one PostgreSQL per run, started by the first project and stopped by the last. */
export default async function globalSetup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('pgUrl' in project.vitest.getRootProject().getProvidedContext()) return undefined;
  const dir = makeRunDir();
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dir, 'postgres'),
    port: 0,
    durable: false,
    maxConnections: 1_000,
  });
  if (chromiumBinary() === null) {
    console.warn('\n  !! There is no chromium on the PATH and no CHROMIUM_PATH: tests in a browser do NOT run. !!\n');
  }
  project.vitest.provide('pgUrl', postgres.url('postgres'));
  return async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

/** A memory file system of Linux: most time of a small test file is spent on the 700 files of its database. */
const memoryFolder = '/dev/shm';
/** Maximum size of the data of a run, the load tier included. */
const memoryBytes = 4 * 1024 ** 3;

/** Creates a folder that the server's user may enter, and removes those of killed runs. */
function makeRunDir(): string {
  const prefix = 'finhook-test-';
  for (const base of [memoryFolder, tmpdir()].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(base)) {
      const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
      if (pid > 0 && !isAlive(pid)) rmSync(join(base, name), { recursive: true, force: true });
    }
  }
  const dir = mkdtempSync(join(hasMemory() ? memoryFolder : tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(dir, 0o711);
  return dir;
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    accessSync(memoryFolder, constants.W_OK);
    return bavail * bsize >= memoryBytes && process.availableMemory() >= memoryBytes;
  } catch {
    return false;
  }
}
