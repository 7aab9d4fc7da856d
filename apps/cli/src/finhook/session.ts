import type { Command } from 'commander';
import type { StandardInput } from '../terminal.ts';
import type { Environment } from './env.ts';
import { createService, type Service } from './http-api.ts';
import type { Output } from './output.ts';
import { type Connection, chooseService } from './profiles.ts';

export interface Session {
  env: Environment;
  input: StandardInput;
  output: Output;
  signal: AbortSignal;
}

export interface ServiceFlags {
  profile?: string;
  json?: boolean;
}

export function addServiceFlags(command: Command): Command {
  return command
    .option('--profile <name>', 'use this login instead of the current one')
    .option('--json', 'print what the service returns, as JSON');
}

export function connect(session: Session, { profile }: ServiceFlags): { service: Service; connection: Connection } {
  const connection = chooseService(session.env, profile);
  return { service: createService(connection, session.signal), connection };
}
