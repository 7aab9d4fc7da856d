import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { openStandardOutput } from './log-output.ts';
import { maskFields, maskText } from './mask-secrets.ts';

type LogFields = Readonly<Record<string, unknown>>;
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Put an error under `err`. Secrets are masked in fields, messages, errors and stacks. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Logger;
}

interface LoggerOptions {
  readonly level: LogLevel;
  readonly name: string;
  readonly cell?: string | undefined;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** One JSON object per line: level, time (ISO 8601, UTC), pid, name, cell, the fields, msg. */
export function createLogger({ level, name, cell, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { pid: process.pid, name, ...(cell === undefined ? {} : { cell }) },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // maskFields has made errors plain objects.
    serializers: { err: (value: unknown) => value },
  };
  return wrap(pino(options, destination ?? openStandardOutput()));
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
