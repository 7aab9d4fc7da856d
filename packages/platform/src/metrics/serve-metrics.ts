import { once } from 'node:events';
// oxlint-disable-next-line finhook/imports -- it listens for scrapes and opens no outgoing socket
import { createServer } from 'node:http';
import type { Metrics } from './create-metrics.ts';

export interface ServeOptions {
  readonly port: number;
  /** The address to listen at. */
  readonly host: string;
}

export interface MetricsServer {
  /** For example `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Answers `GET /metrics` on a port of its own, which is for the operator's network only: it asks for no key. */
export async function serveMetrics(metrics: Metrics, { port, host }: ServeOptions): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') response.writeHead(404).end();
    else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
    else {
      metrics.render().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
