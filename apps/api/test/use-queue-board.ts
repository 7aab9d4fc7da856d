import { createQueueProducer } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import type { QueueBackend } from '@finhook/testing';
import { beforeAll, inject } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { type OpenConsole, openConsole } from './ops-console.ts';

/** The consoles of a suite over a queue with one delayed job. */
interface QueueBoard<T> {
  readonly backend: T;
  readonly fixture: ApiFixture;
  readonly readOnly: OpenConsole;
  readonly cookie: string;
}

export function useQueueBoard<T extends Pick<QueueBackend, 'url' | 'close'>>(
  open: () => Promise<T>,
): () => QueueBoard<T> {
  let board: QueueBoard<T>;
  beforeAll(async () => {
    const backend = await open();
    const fixture = await openApiFixture(inject('pgUrl'));
    const readOnly = await openConsole({ core: fixture.elsewhere, queueUrl: backend.url });
    const logger = createLogger({ level: 'silent', name: 'test' });
    // In which a busy machine connects to the queue and sets it up.
    const producer = createQueueProducer(backend.url, { logger, timeoutMs: 20_000 });
    await producer.wakeLater({ id: 'we_board', accountId: 'acc_board' }, 600_000);
    await producer.close();
    board = { backend, fixture, readOnly, cookie: await readOnly.signIn() };
    return async () => {
      await readOnly.close();
      await fixture.close();
      await backend.close();
    };
  });
  return () => board;
}
