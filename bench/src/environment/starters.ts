import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@finhook/embedded';
import type { Checkout } from './checkout.ts';
import type { Backend, Environment, EnvironmentDatabase } from './environment.ts';
import { type Service, startProcess } from './start-process.ts';

/** Default requests of a key per two seconds. */
export const usualQuota = 200;

type Starters = Pick<Environment, 'deployments' | 'startApi' | 'startWorker' | 'startService'>;

/** Starts a checkout's service, each process as in production. */
export function createStarters(
  checkout: Checkout,
  { folder, secretsKey }: Pick<Environment, 'folder' | 'secretsKey'>,
  nodeArguments: readonly string[],
): Starters {
  const logFolder = join(folder, 'logs');
  const start = (
    name: 'api' | 'worker' | 'combined',
    readyText: string,
    database: EnvironmentDatabase,
    backend: Backend,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Service> => {
    const program = checkout[name];
    if (program === undefined) throw new Error(`The checkout has no program for ${name}.`);
    const environment = { ...program.settings, ...environmentOf(secretsKey, database, backend), ...more };
    const command = [process.execPath, ...nodeArguments, fileURLToPath(program.main)];
    return startProcess({ name, command, environment, logFolder, readyText });
  };
  const startServer = async (
    name: 'api' | 'combined',
    database: EnvironmentDatabase,
    backend: Backend,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const port = await freePort();
    const service = await start(name, '"msg":"ready"', database, backend, { PORT: String(port), ...more });
    await service.ready;
    return { ...service, url: `http://127.0.0.1:${port}` };
  };
  const startApi: Starters['startApi'] = (database, backend, limits) =>
    startServer('api', database, backend, limits === undefined ? {} : { RATE_LIMIT_REQUESTS: String(usualQuota) });
  const startWorker: Starters['startWorker'] = (database, backend) =>
    start('worker', 'worker started', database, backend);
  return {
    deployments: checkout.combined === undefined ? ['separate'] : ['separate', 'combined'],
    startApi,
    startWorker,
    startService: async (database, backend, deployment) => {
      if (deployment === 'combined') {
        const service = await startServer('combined', database, backend);
        return { ...service, processes: [{ name: 'api and worker', pid: service.pid }] };
      }
      const api = await startApi(database, backend);
      const worker = await startWorker(database, backend);
      await worker.ready;
      return {
        url: api.url,
        processes: [
          { name: 'api', pid: api.pid },
          { name: 'worker', pid: worker.pid },
        ],
        stop: async () => {
          await worker.stop();
          await api.stop();
        },
      };
    },
  };
}

/** Defaults, without rate limits, with local receivers allowed. */
function environmentOf(secretsKey: string, database: EnvironmentDatabase, backend: Backend): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    QUEUE_URL: backend.queueUrl(database),
    SECRETS_KEY: secretsKey,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    RATE_LIMIT_REQUESTS: '0',
    // Older checkouts have a switch for each limit.
    RATE_LIMIT_IN_FLIGHT: '0',
    RATE_LIMIT_FAILED_AUTH: '0',
  };
}
