import { gzipSync } from 'node:zlib';
import { peerEvent } from '../peers/peer.ts';
import { isPeer, peers } from '../peers/peers.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import type { ApiLoad, ApiTarget, LoadResult, Traffic } from './load.ts';
import { runClosedLoop, runOpenLoop } from './loops.ts';
import { balancePost, createBatches, type Requests } from './traffic.ts';

interface ApiRequest {
  readonly path: string;
  /** Absent for a GET. */
  readonly body?: string | Buffer;
}

/** Connections of an open loop. More would cost the api their set-up. */
const mostConnections = 256;
const companies = '/api/v1/companies';

function pathOf(protocol: ApiTarget['protocol'], what: Traffic['what'], companyId: string): string {
  const operation = what === 'balances' ? 'cash.balances.upsert' : 'bank.transactions.ingest';
  if (protocol === 'trpc') return `/trpc/${operation}`;
  return `/api/v1/companies/${companyId}/${what === 'balances' ? 'cash/balances' : 'bank/transactions'}`;
}

function bodyOf(protocol: ApiTarget['protocol'], companyId: string, fields: object): string {
  return JSON.stringify(protocol === 'trpc' ? { company_id: companyId, ...fields } : fields);
}

function createRequests({ protocol }: ApiTarget, traffic: Traffic, milliseconds: number): Requests<ApiRequest> {
  const { what, companyIds, series } = traffic;
  if (what === 'company-lists') return { first: 0, requestOf: () => ({ path: companies }) };
  if (what === 'floods') {
    const body = gzipSync(`{"x":[${Array(500_000).fill('1e9').join()}]}`);
    return { first: 0, requestOf: () => ({ path: companies, body }) };
  }
  if (isPeer(protocol)) {
    const peer = peers[protocol];
    return { first: 0, requestOf: (n) => peer.post(companyIds[0] ?? '', peerEvent(series, n)) };
  }
  const pathTo = (companyId: string): string => pathOf(protocol, what, companyId);
  if (what !== 'balances') {
    return createBatches(traffic, milliseconds, (companyId, transactions) => ({
      path: pathTo(companyId),
      body: Buffer.from(bodyOf(protocol, companyId, { transactions })),
    }));
  }
  return {
    first: 0,
    requestOf: (n) => {
      const { companyId, ...balance } = balancePost(companyIds, series, n);
      return { path: pathTo(companyId), body: bodyOf(protocol, companyId, balance) };
    },
  };
}

// Every response to a mutation has the id of its event; tRPC wraps it. A peer responds with the event.
function eventIdOf(protocol: ApiTarget['protocol'], text: string): string {
  return (isPeer(protocol) ? /"id":"([^"]+)"/ : /"event_id":"(evt_[0-9a-z]+)"/).exec(text)?.[1] ?? '';
}

/**
 * A pool of connections that hands them out in turn, because the service closes a connection that is idle for a minute.
 * Closed ones are opened again: the service closes a connection after a body that it did not read to its end.
 */
async function openConnections(target: ApiTarget, what: Traffic['what'], count: number) {
  const encoding = what === 'floods' ? { 'content-encoding': 'gzip' } : {};
  const expected = what === 'floods' ? [413] : [200, 201, 202];
  const headers = { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json', ...encoding };
  const open = (): Promise<HttpConnection> => openConnection(target.url, headers);
  const free = await Promise.all(Array.from({ length: count }, open));
  const waiting: ((connection: HttpConnection) => void)[] = [];
  return {
    async send({ path, body }: ApiRequest): Promise<string> {
      const lent = free.shift() ?? (await new Promise<HttpConnection>((resolve) => waiting.push(resolve)));
      const connection = lent.isOpen() ? lent : await open();
      const response = await (body === undefined ? connection.get(path) : connection.post(path, body));
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
      if (expected.includes(response.status)) return response.body;
      throw new Error(`${path} returned ${response.status}: ${response.body.slice(0, 300)}`);
    },
    close: () => {
      for (const connection of free) connection.close();
    },
  };
}

/** Sends traffic to the api and measures it. An unexpected response ends the run. */
export async function runApiLoad({
  target,
  traffic,
  pace,
  warmupMs,
  durationMs,
  countOnly,
}: ApiLoad): Promise<LoadResult> {
  const connections = await openConnections(
    target,
    traffic.what,
    pace.kind === 'closed' ? pace.connections : Math.min(mostConnections, pace.perSecond),
  );
  const { first, requestOf } = createRequests(target, traffic, warmupMs + durationMs);
  const work = (n: number): Promise<string> => connections.send(requestOf(n));
  for (let n = 0; n < first; n++) await work(n);
  const eventOf = async (n: number): Promise<string> => eventIdOf(target.protocol, await work(n));
  const timing = { warmupMs, durationMs };
  const result =
    pace.kind === 'closed'
      ? await runClosedLoop({
          ...timing,
          callers: pace.connections,
          work: pace.keepAccepted === true ? eventOf : async (n) => void (await work(n)),
        })
      : await runOpenLoop({ ...timing, perSecond: pace.perSecond, work: eventOf });
  connections.close();
  return countOnly === true ? { ...result, latencies: [], accepted: [] } : result;
}
