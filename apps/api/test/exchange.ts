import { connect } from 'node:net';

/**
 * Sends bytes on a new socket and reads until the service closes it. Each further text is sent after a response.
 */
export function exchange(url: string, text: string, ...further: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
      const next = further.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    socket.on('close', () => resolve(received));
    socket.write(text);
  });
}
