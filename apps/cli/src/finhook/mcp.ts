import { createInterface } from 'node:readline';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { Command } from 'commander';
import { reasonOf } from '../reason-of.ts';
import { version } from './http-api.ts';
import { chooseService } from './profiles.ts';
import type { Session } from './session.ts';

export function mcpCommand(session: Session): Command {
  return new Command('mcp')
    .summary('an MCP server for assistants, over stdio')
    .description("Passes each message of an MCP client to the service's /mcp, with the key of the login.")
    .option('--profile <name>', 'use this login instead of the current one')
    .action((flags: { profile?: string }) => bridge(flags.profile, session));
}

/** Ends with stdin, after the last response. */
async function bridge(profile: string | undefined, { env, input, output, signal }: Session): Promise<void> {
  const { url, key } = chooseService(env, profile);
  const { deserializeMessage, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const headers = { authorization: `Bearer ${key}`, 'user-agent': `finhook-cli/${version}` };
  // A redirect would send the key elsewhere.
  const requestInit = { headers, redirect: 'manual' } as const;
  const service = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit });
  const print = (message: JSONRPCMessage): void => output.printJson(JSON.stringify(message));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  service.onmessage = (message) => {
    const agreed = 'result' in message ? message.result['protocolVersion'] : undefined;
    if (typeof agreed === 'string') service.setProtocolVersion(agreed);
    print(message);
  };
  const pass = async (line: string): Promise<void> => {
    try {
      const message = deserializeMessage(line);
      await service.send(message).catch((error: unknown) => {
        if (!('method' in message) || !('id' in message)) throw error;
        print({ jsonrpc: '2.0', id: message.id, error: { code: INTERNAL_ERROR, message: adviceOn(error) } });
      });
    } catch (error) {
      output.say(adviceOn(error));
    }
  };
  await service.start();
  const unanswered = new Set<Promise<void>>();
  for await (const line of createInterface({ input: input.stream, signal })) {
    const passed = pass(line).finally(() => unanswered.delete(passed));
    unanswered.add(passed);
  }
  if (!signal.aborted) await Promise.all(unanswered);
  await service.close();
  signal.throwIfAborted();
}

const INTERNAL_ERROR = -32_603;

function adviceOn(error: unknown): string {
  const reason = reasonOf(error);
  return `${reason}\n  To check the address and the key: finhook doctor`;
}
