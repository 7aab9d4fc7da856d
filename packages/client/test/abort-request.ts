import { once } from 'node:events';
import { connect } from 'node:net';

const head = ['POST /webhooks HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 99', '', ''];

/** Sends the head and part of the body, then disconnects. Resolves when the connection is closed. */
export async function abortRequest(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(`${head.join('\r\n')}half`);
  await once(socket.resume(), 'close');
}
