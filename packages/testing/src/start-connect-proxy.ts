import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './start-receiver.ts';

export interface ConnectProxy extends AsyncDisposable {
  readonly port: number;
  /** Requests so far: `address:port` and headers. */
  readonly tunnels: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
}

interface ConnectProxyOptions {
  /** The response's status, with an empty body. 200, the default, opens the tunnel. */
  readonly statusFor?: (target: string, headers: IncomingHttpHeaders) => number;
}

/** An HTTP proxy on 127.0.0.1 that supports only CONNECT. */
export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { statusFor = () => 200 } = options;
  const tunnels: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket =>
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(keep(socket)));
  server.on('connect', ({ url: target = '', headers }, client) => {
    tunnels.push({ target, headers });
    const status = statusFor(target, headers);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`tcp://${target}`);
    const upstream = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(keep(upstream));
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  const port = await listen(server);
  return {
    port,
    tunnels,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
