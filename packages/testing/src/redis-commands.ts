import { connect } from 'node:net';

const withinMs = 2_000;

/**
 * Sends commands to a Redis on 127.0.0.1 over a socket and resolves with the raw replies: only the platform package may
 * import the client library. Rejects with the first error reply.
 */
export function redisCommands(port: number, ...commands: readonly string[]): Promise<string> {
  const asked = commands.join('; ');
  return new Promise((resolve, reject) => {
    let replies = '';
    const text = [...commands, 'PING'].map((command) => `${command}\r\n`).join('');
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(withinMs, () => socket.destroy(new Error(`Redis did not respond to ${asked} within 2 s.`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`Redis closed the connection before it responded to ${asked}.`)));
    socket.on('data', (chunk) => {
      replies += chunk.toString();
      const errorReply = /^-.*$/m.exec(replies)?.[0];
      if (errorReply !== undefined) socket.destroy(new Error(`Redis rejected one of ${asked}: ${errorReply}`));
      else if (replies.endsWith('+PONG\r\n')) socket.end(() => resolve(replies));
    });
  });
}

/** Repeats a command until its replies match, for a state on which servers must agree first. */
export async function redisAgrees(port: number, command: string, expected: RegExp, patienceMs = 20_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const replies = await redisCommands(port, command).catch((error: unknown) => String(error));
    if (expected.test(replies)) return;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${expected} from ${command}: ${replies}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
