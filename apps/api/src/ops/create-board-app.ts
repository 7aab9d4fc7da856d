import { jobs } from '@finhook/contracts';
import type { QueueBoard } from '@finhook/queue';
import { maskText } from '@finhook/runtime';
import Fastify, { type FastifyInstance } from 'fastify';

export interface BoardAppOptions {
  readonly board: QueueBoard;
  /** Where it is seen. */
  readonly path: string;
}

/** What the policy refuses and nobody misses: fonts from elsewhere, and the looks of the word "Loading". */
const refused = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>|<style>.*?<\/style>| style="[^"]*"/gs;
const bodyLimit = 64 * 1024;

/**
 * The library's board as an application of its own, which nobody listens to: its plugins meet none of the api's. The
 * library is loaded here and not before.
 */
export async function createBoardApp({ board, path }: BoardAppOptions): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const adapt = ({ job, queue }: ReturnType<QueueBoard['queues']>[number]) => {
    const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
    const show = (data: unknown) => (jobs[job].payload.safeParse(data).success ? data : 'not shown');
    adapter.setFormatter('data', show);
    adapter.setFormatter('returnValue', () => undefined);
    adapter.setFormatter('name', (toldJob) => maskText(String(Reflect.get(Object(toldJob), 'name'))));
    return adapter;
  };
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(path);
  let opened = board.queues();
  const { replaceQueues } = createBullBoard({
    queues: opened.map(adapt),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'finhook queues',
        miscLinks: [{ text: 'Overview', url: '/ops' }],
        hideDocsLink: true,
      },
    },
  });
  const app = Fastify({ logger: false, return503OnClosing: false, bodyLimit });
  app.addHook('onRequest', async (request, reply) => {
    // PostgreSQL holds no NUL, so no job has one in its id: the board would tell of PostgreSQL's refusal.
    if (request.url.includes('%00')) return reply.callNotFound();
    const now = board.queues();
    if (now.every(({ queue }, index) => queue === opened[index]?.queue)) return;
    opened = now;
    replaceQueues(now.map(adapt));
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    return isPage && typeof payload === 'string' ? payload.replace(refused, '') : payload;
  });
  await app.register(serverAdapter.registerPlugin(), { prefix: path });
  await app.ready();
  return app;
}
