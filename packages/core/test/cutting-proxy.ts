import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where to cut: at the n-th statement from now (from 1), before the server sees it or after it has run it. */
interface Cut {
  statement: number;
  when: 'before' | 'after';
}

export interface CuttingProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** Cuts one connection as told; undefined lets everything through. */
  arm(cut: Cut | undefined): void;
  /** Whether the armed cut was made. */
  wasCut(): boolean;
  close(): Promise<void>;
}

const QUERY = 0x51;
const EXECUTE = 0x45;
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/**
 * A PostgreSQL connection that breaks at a chosen statement. It counts simple queries and executions of the extended
 * protocol (PostgreSQL documentation, "Frontend/Backend Protocol"), so BEGIN and COMMIT are statements too.
 */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: Cut | undefined;
  let seen = 0;
  let done = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let mute = false;
    const breakOff = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', breakOff).on('close', () => {
        sockets.delete(socket);
        breakOff();
      });
    }
    client.on(
      'data',
      splitMessages((message, type) => {
        if (mute && cut?.when === 'before') return;
        if (type === QUERY || type === EXECUTE) {
          seen += 1;
          if (cut && !done && seen === cut.statement) {
            done = true;
            mute = true;
            if (cut.when === 'before') return breakOff();
          }
        }
        upstream.write(message);
      }),
    );
    upstream.on('data', (chunk) => {
      if (!mute) client.write(chunk);
      else if (chunk.subarray(-6, -1).equals(READY)) breakOff();
    });
  });
  const url = new URL(databaseUrl);
  url.port = String(await listen(server));
  return {
    url: url.href,
    arm(next) {
      cut = next;
      seen = 0;
      done = false;
    },
    wasCut: () => done,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Feeds whole messages to `take`; the first one of a connection (its start-up) has no type byte. */
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

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('The proxy has no port.'));
    });
  });
}
