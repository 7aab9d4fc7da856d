import { once } from 'node:events';
// oxlint-disable-next-line finhook/imports -- it listens for scrapes and opens no outgoing socket
import { createServer } from 'node:http';
import type { Metrics } from './metrics.ts';
import { serviceVersion } from './service-version.ts';

interface ServeOptions {
  readonly port: number;
  readonly host: string;
}

export interface MetricsServer {
  /** For example `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics`, and `GET /healthz` for processes without another port. It has no authentication: it is for the
 * operator's network.
 */
export async function serveMetrics(metrics: Metrics, { port, host }: ServeOptions): Promise<MetricsServer> {
  const health = JSON.stringify({ status: 'ok', version: serviceVersion() });
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics' && path !== '/healthz') response.writeHead(404).end();
    else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
    else if (path === '/healthz') response.writeHead(200, { 'content-type': 'application/json' }).end(health);
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
