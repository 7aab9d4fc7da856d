export interface ServerSettings {
  readonly dataDir: string;
  readonly port: number;
  readonly durable: boolean;
  readonly maxConnections?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

const volatileSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** The server's command line: loopback only, no socket file, sized for a small machine, no statements in its log. */
export function serverArgs({ dataDir, port, durable, maxConnections, settings }: ServerSettings): string[] {
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(maxConnections ?? 100),
    shared_buffers: '128MB',
    jit: 'off',
    // No replicas here: the least write-ahead log.
    wal_level: 'minimal',
    max_wal_senders: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and row values may hold what must not reach a log.
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
