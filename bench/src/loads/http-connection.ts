import { connect } from 'node:net';

interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** Of the header of this name, in seconds. */
  readonly retryAfter?: number | undefined;
}

/** One kept-alive connection, for one request at a time. */
export interface HttpConnection {
  /** False once the service has closed it or has said that it will. */
  isOpen(): boolean;
  get(path: string): Promise<HttpResponse>;
  /** `headers` are those of this request alone. */
  post(path: string, body: string | Buffer, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  close(): void;
}

/**
 * Connects to an HTTP/1.1 server that responds with a Content-Length. The generator shares its machine with what it
 * measures, and a full client costs as much per request as the service does: this one writes a request in one go and
 * looks for little in the response but its status and its end.
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
    // A socket that is gone tells of no error when it is written to: the response would be waited for for ever.
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

/** The position of the body in the received bytes of an HTTP/1.1 response. */
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

/** Parses the head of a response; undefined while incomplete. Throws without Content-Length. */
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
