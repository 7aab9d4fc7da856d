import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { wallClock } from '../wall-clock.ts';
import { serveCommands } from './channel.ts';
import { createLedger } from './ledger.ts';
import type { ReceiverCommand } from './receiver-report.ts';

// A webhook receiver that counts deliveries. Paths that start with /hang, /fail, /drip and /slow misbehave accordingly;
// all others return 200 at once.

const dripEveryMs = 500;
const slowMs = 5_000;
const misbehaving = /^\/(?:hang|fail|drip|slow)/;

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), dripEveryMs);
  response.once('close', () => clearInterval(timer));
}

function respond(path: string, response: ServerResponse): void {
  if (path.startsWith('/hang')) return;
  if (path.startsWith('/drip')) return drip(response);
  const end = (): void => {
    response.writeHead(path.startsWith('/fail') ? 500 : 200, { 'content-length': 2 });
    response.end('ok');
  };
  if (path.startsWith('/slow')) setTimeout(end, slowMs);
  else end();
}

// The parent sends nothing else.
function asCommand(command: unknown): ReceiverCommand {
  return command as ReceiverCommand;
}

const ledger = createLedger();
const server = createServer((request, response) => {
  const path = request.url ?? '';
  request.resume();
  request.once('end', () => {
    if (!misbehaving.test(path)) {
      const eventId = header(request, 'webhook-id');
      // Peers have no id of a delivery, but one path for each endpoint.
      const deliveryId = header(request, 'x-service-delivery') ?? (eventId && `${eventId} ${path}`);
      ledger.note({ at: wallClock(), path, deliveryId, eventId });
    }
    respond(path, response);
  });
});
server.keepAliveTimeout = 60_000;
server.maxRequestsPerSocket = 0;
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveCommands(async (message) => {
  const command = asCommand(message);
  await listening;
  if (command.kind === 'reset') return ledger.reset(command.keepReceipts);
  if (command.kind === 'report') return ledger.report();
  if (command.kind === 'receipts') return ledger.receipts();
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
});
