import { connect } from 'node:net';

interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** From Retry-After, in seconds. */
  readonly retryAfter?: number | undefined;
}

/** A kept-alive connection for one request at a time. */
export interface HttpConnection {
  /** False once the service has closed it or announced it. */
  isOpen(): boolean;
  get(path: string): Promise<HttpResponse>;
  /** Additional headers of this request. */
  post(path: string, body: string | Buffer, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  close(): void;
}

/**
 * Connects to an HTTP/1.1 server that responds with a Content-Length. The generator shares its machine with the
 * service, and a full client would cost as much per request as that: this one writes a request at once and reads little
 * more than the status and the end of the response.
 */
export async function openConnection(url: string, headers: Readonly<Record<string, string>>): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const fixed = linesOf({ host, ...headers });
  let waiting: PromiseWithResolvers<HttpResponse> | undefined;
  let received = Buffer.alloc(0);
  let lastResponse = false;
  const fail = (error: Error): void => waiting?.reject(error);
  const ask = (write: () => void): Promise<HttpResponse> => {
    const response = Promise.withResolvers<HttpResponse>();
    waiting = response;
    // Writing to a destroyed socket causes no error event, so the response would never come.
    if (!socket.writable) fail(new Error('The service had closed an idle connection.'));
    else write();
    return response.promise;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The service closed a connection.')));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const head = parseHead(received);
    if (head === undefined || received.length < head.end) return;
    const { status, retryAfter } = head;
    const response = { status, retryAfter, body: received.toString('utf8', head.start, head.end) };
    received = received.subarray(head.end);
    lastResponse = head.isLast;
    waiting?.resolve(response);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    isOpen: () => socket.writable && !lastResponse,
    get: (path) => ask(() => void socket.write(`GET ${path} HTTP/1.1\r\n${fixed}\r\n`)),
    post: (path, body, more = {}) =>
      ask(() => {
        const head = `POST ${path} HTTP/1.1\r\n${fixed}${linesOf(more)}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
        if (typeof body === 'string') {
          socket.write(head + body);
          return;
        }
        socket.cork();
        socket.write(head);
        socket.write(body);
        socket.uncork();
      }),
    close: () => {
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** The position of the body in the bytes of an HTTP/1.1 response. */
export interface ResponseHead {
  readonly status: number;
  /** First byte of the body, and the byte after its last one. */
  readonly start: number;
  readonly end: number;
  /** The service closes the connection after it. */
  readonly isLast: boolean;
  /** In seconds. */
  readonly retryAfter: number | undefined;
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i;
const retryHeader = /\r\nretry-after: *(\d+)/i;

/** Undefined while incomplete. @throws without a Content-Length */
export function parseHead(bytes: Buffer): ResponseHead | undefined {
  const blank = bytes.indexOf('\r\n\r\n');
  if (blank === -1) return undefined;
  const head = bytes.toString('latin1', 0, blank);
  const length = lengthHeader.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 ') || length === undefined) throw new Error(`Not the response of a service: ${head}`);
  const start = blank + 4;
  const isLast = /\r\nconnection: *close/i.test(head);
  const status = Number(head.slice(9, 12));
  const retryAfter = status === 429 ? Number(retryHeader.exec(head)?.[1]) : undefined;
  return { status, start, end: start + Number(length), isLast, retryAfter };
}
