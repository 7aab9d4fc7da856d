import { connect, createServer, type Socket } from 'node:net';
import { listen } from './start-receiver.ts';

/** Breaks the connection at the n-th statement from now (from 1), before or after the server runs it. */
interface Cut {
  statement: number;
  when: 'before' | 'after';
}

/** Holds a prepared statement, by name, before the server gets it, or its response. */
export interface Hold {
  statement: string;
  when: 'before' | 'after';
}

interface Orders {
  arm(cut: Cut | undefined): void;
  wasCut: () => boolean;
  /** Number of runs of this prepared statement. */
  runsOf(statement: string): number;
  /** Stops every client at this statement. Resolves when the first one is stopped. */
  hold(hold: Hold): Promise<void>;
}

export interface FaultProxy extends Orders {
  url: string;
  /** Breaks every open connection; new ones work. */
  cutAll(): void;
  /** Open connections transfer nothing from now on; new ones work. */
  silenceAll(): void;
  close(): Promise<void>;
}

const BIND = 0x42;
const QUERY = 0x51;
const EXECUTE = 0x45;
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/**
 * A PostgreSQL proxy whose connections break or hang at a chosen statement. It counts simple queries and executions of
 * the extended protocol (PostgreSQL documentation, "Frontend/Backend Protocol"), including BEGIN and COMMIT.
 */
export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silencers = new Set<() => void>();
  const { judge, ...orders } = createOrders();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const silence = relay(client, upstream, judge);
    silencers.add(silence);
    client.once('close', () => silencers.delete(silence));
  });
  const url = new URL(databaseUrl);
  url.port = String(await listen(server));
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    ...orders,
    url: url.href,
    cutAll,
    silenceAll: () => {
      for (const silence of silencers) silence();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}

/** The connection transfers nothing from `when` on; `act` is called then. */
interface Stop {
  when: 'before' | 'after';
  act(breakOff: () => void): void;
}

function createOrders(): Orders & { judge: (statement: string) => Stop | undefined } {
  let cut: Cut | undefined;
  const runs = new Map<string, number>();
  let seen = 0;
  let done = false;
  let held: Hold | undefined;
  let reached = Promise.withResolvers<void>();
  return {
    arm(next) {
      cut = next;
      seen = 0;
      done = false;
    },
    wasCut: () => done,
    runsOf: (statement) => runs.get(statement) ?? 0,
    hold(next) {
      held = next;
      reached = Promise.withResolvers<void>();
      return reached.promise;
    },
    judge(statement) {
      seen += 1;
      runs.set(statement, (runs.get(statement) ?? 0) + 1);
      if (cut && !done && seen === cut.statement) {
        done = true;
        return { when: cut.when, act: (breakOff) => breakOff() };
      }
      if (held === undefined || held.statement !== statement) return undefined;
      return { when: held.when, act: () => reached.resolve() };
    },
  };
}

/** The returned function silences the connection. */
function relay(client: Socket, upstream: Socket, judge: (statement: string) => Stop | undefined): () => void {
  let bound = '';
  let tail: Buffer = Buffer.alloc(0);
  let stop: Stop | undefined;
  const breakOff = (): void => {
    client.destroy();
    upstream.destroy();
  };
  for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', breakOff).on('close', breakOff);
  client.on(
    'data',
    splitMessages((message, type) => {
      if (type === BIND) bound = statementOf(message);
      if (type === QUERY) bound = '';
      if (stop === undefined && (type === QUERY || type === EXECUTE)) {
        stop = judge(bound);
        if (stop?.when === 'before') stop.act(breakOff);
      }
      if (stop?.when !== 'before') upstream.write(message);
    }),
  );
  upstream.on('data', (chunk) => {
    if (stop === undefined) {
      client.write(chunk);
      return;
    }
    tail = Buffer.concat([tail, chunk]).subarray(-6);
    if (tail.subarray(0, 5).equals(READY)) stop.act(breakOff);
  });
  return () => {
    stop = { when: 'before', act: () => undefined };
  };
}

/** Bind message: type, length, name of the portal, name of the statement. */
function statementOf(message: Buffer): string {
  const start = message.indexOf(0, 5) + 1;
  return message.toString('utf8', start, message.indexOf(0, start));
}

/** Passes whole messages to `take`; the first one of a connection (start-up) has no type byte. */
function splitMessages(take: (message: Buffer, type: number | undefined) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(message, started ? message[0] : undefined);
      started = true;
    }
  };
}
