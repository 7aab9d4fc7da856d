import { once } from 'node:events';
import { parseQueueUrl } from './queue-url.ts';
import { connect } from './redis-connection.ts';

export interface RedisFacts {
  version: string;
  maxmemoryPolicy: string;
  isAppendOnly: boolean;
}

const CONNECT_MS = 5_000;

/** Undefined if the queue is on PostgreSQL. Rejects if Redis can't be reached. */
export async function inspectQueue(queueUrl: string): Promise<RedisFacts | undefined> {
  const target = parseQueueUrl(queueUrl);
  if (target.kind === 'postgres') return undefined;
  const client = connect(target, 'producer');
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) });
    // An error event without a listener ends the process. The command rejects anyway.
    client.on('error', () => undefined);
    const facts = new Map(
      (await client.info()).split('\r\n').map((line) => {
        const [name = '', value = ''] = line.split(':', 2);
        return [name, value] as const;
      }),
    );
    return {
      version: facts.get('redis_version') ?? 'unknown',
      maxmemoryPolicy: facts.get('maxmemory_policy') ?? 'unknown',
      isAppendOnly: facts.get('aof_enabled') === '1',
    };
  } finally {
    client.on('error', () => undefined).disconnect();
  }
}
