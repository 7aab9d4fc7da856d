import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { maskFields, maskText } from './mask-secrets.ts';

type LogFields = Readonly<Record<string, unknown>>;
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Structured log lines. Put an error under `err`. Secrets are masked in fields, messages, errors and stacks. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Logger;
}

interface LoggerOptions {
  readonly level: LogLevel;
  /** Name of the process or part, in each line. */
  readonly name: string;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** Writes one JSON object per line: level, time (ISO 8601, UTC), pid, name, the fields, msg. */
export function createLogger({ level, name, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { pid: process.pid, name },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // maskFields makes errors plain objects before.
    serializers: { err: (value: unknown) => value },
  };
  return wrap(pino(options, destination ?? standardOutput()));
}

const flushMs = 50;

/** In blocks: a line by itself is a system call, which is a tenth of what a request costs the api. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, minLength: 4_096, sync: true });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    // Not flushSync, which waits for the disk (fsync), and makes the database's own writes wait.
    output.flush();
  };
  // After an uncaught error, too.
  process.once('exit', () => output.flushSync());
  return {
    write: (line) => {
      output.write(line);
      timer ??= setTimeout(flush, flushMs).unref();
    },
  };
}

function wrap(target: PinoLogger): Logger {
  const write = (level: Exclude<LogLevel, 'silent'>) => (fields: LogFields, message: string) => {
    if (target.isLevelEnabled(level)) target[level](maskFields(fields), maskText(message));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(target.child(maskFields(fields))),
  };
}
