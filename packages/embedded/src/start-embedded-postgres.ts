import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { initDataDir, readPassword } from './init-data-dir.ts';
import { EmbeddedPostgresError, launchAs, postgresBinaries, serverUser } from './launch.ts';
import { assertNotRunning } from './live-postmaster.ts';
import { freePort, type SupervisedOptions, type SupervisedProcess, spawnSupervised } from './spawn-supervised.ts';

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** On 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** `false` turns fsync off: several times faster, but a crash of the machine loses data. For tests. */
  readonly durable: boolean;
  readonly maxConnections?: number;
  readonly log?: (line: string) => void;
  /** Called with the last log lines when the server exits without `stop` or `kill`. */
  readonly onUnexpectedExit?: (lastLines: string) => void;
  readonly settings?: Readonly<Record<string, string>>;
  /** Wait for a server that still uses the folder. Default 5000. */
  readonly lockGraceMs?: number;
}

export interface EmbeddedPostgres {
  readonly url: (database: string) => string;
  readonly port: number;
  /** Changes on restart. */
  readonly pid: number;
  /** Ends sessions, writes a checkpoint, and resolves when the process has exited. */
  readonly stop: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly kill: () => void;
}

const stopMs = 10_000;
const attempts = 5;

/**
 * Listens on 127.0.0.1 with a random superuser password, and stops when this process dies. @throws
 * EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = postgresBinaries();
  const dataDir = resolve(options.dataDir);
  const user = serverUser(dataDir);
  await initDataDir({ dataDir, durable: options.durable, user }, binaries);
  const password = readPassword(dataDir);
  const program = {
    binary: binaries.postgres,
    cwd: dataDir,
    launch: launchAs(user, [binaries.postgres, dataDir]),
    // A standby is ready to accept read-only connections.
    readyText: 'ready to accept',
    log: options.log ?? (() => undefined),
  };

  let port = options.port;
  let server: SupervisedProcess;
  let wanted = true;
  const start = async () => {
    await assertNotRunning(dataDir, options.lockGraceMs ?? 5_000);
    ({ server, port } = await startOnPort(port, options, program));
    wanted = true;
    const started = server;
    void server.exited.then((lines) => {
      if (wanted && started === server) options.onUnexpectedExit?.(lines.join('\n'));
    });
  };
  const stop = async () => {
    wanted = false;
    await stopServer(server);
  };
  await start();

  return {
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    get port() {
      return port;
    },
    get pid() {
      return server.pid;
    },
    stop,
    restart: async () => {
      await stop();
      await start();
    },
    kill: () => {
      wanted = false;
      server.signal('SIGKILL');
    },
  };
}

/** Retries if another process took the port, or a killed server still has shared memory. */
async function startOnPort(
  port: number,
  options: EmbeddedPostgresOptions,
  program: Omit<SupervisedOptions, 'args'>,
): Promise<{ server: SupervisedProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port === 0 ? await freePort() : port;
    try {
      const args = serverArgs({ ...options, dataDir: program.cwd, port: chosen });
      return { server: await spawnSupervised({ ...program, args }), port: chosen };
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      const portTaken = text.includes('Address already in use');
      if (portTaken && port !== 0) throw portInUse(port);
      if (attempt === attempts || !(portTaken || text.includes('still in use'))) {
        throw (
          otherVersion(text, program.cwd, program.binary) ??
          new EmbeddedPostgresError(`PostgreSQL did not start:\n${text}`, { cause: error })
        );
      }
      await delay(100 * attempt);
    }
  }
}

/** PostgreSQL's message contains neither the major version of the data nor an action. */
function otherVersion(log: string, dataDir: string, postgres: string): EmbeddedPostgresError | undefined {
  if (!log.includes('database files are incompatible with server')) return undefined;
  const made = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  const ours = execFileSync(postgres, ['--version'], { encoding: 'utf8' }).trim();
  return new EmbeddedPostgresError(
    `${dataDir} was made by PostgreSQL ${made}, and the embedded one is ${ours}, which can't read it. Start the finhook ` +
      `that made it, bring its data over with pg_upgrade, or remove ${dataDir} (and with it all its data) to start afresh.`,
  );
}

async function stopServer(server: SupervisedProcess): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    server.signal(name);
    const timer = new AbortController();
    const late = delay(stopMs, 'late', { signal: timer.signal }).catch(() => 'aborted');
    const first = await Promise.race([server.exited, late]);
    timer.abort();
    if (first !== 'late') return;
  }
  server.signal('SIGKILL');
  await server.exited;
}

function portInUse(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`Port ${port} on 127.0.0.1 is taken: stop what uses it, or choose another port.`);
}

interface ServerSettings {
  readonly dataDir: string;
  readonly port: number;
  readonly durable: boolean;
  readonly maxConnections?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

const volatileSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Loopback only, no socket file, sized for a small machine, no statements in its log. */
function serverArgs({ dataDir, port, durable, maxConnections, settings }: ServerSettings): string[] {
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(maxConnections ?? 100),
    shared_buffers: '128MB',
    jit: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and row values may contain secrets.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? {} : volatileSettings),
    ...settings,
  };
  return [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
