import type { QueueBackend } from '@finhook/testing';

/** Flushes the queue's store under load. Dropping PostgreSQL's tables may lose a deadlock against those who use them. */
export async function flushQueue(backend: QueueBackend): Promise<void> {
  for (let left = 20; ; left--) {
    try {
      return await backend.flush();
    } catch (error) {
      if (left === 0 || !(error instanceof Error && error.message.includes('deadlock'))) throw error;
    }
  }
}
