import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { accountCreate } from '../src/account-create.ts';
import { accountKey } from '../src/account-key.ts';

const [, , FINHOOK_DATA_DIR] = process.argv;
const programs = new Map([
  ['/account-create', accountCreate],
  ['/account-key', accountKey],
]);

async function run(path: string, input: Readable): Promise<unknown> {
  const program = programs.get(path);
  if (program === undefined) throw new Error(`${path} is none of ${[...programs.keys()].join(', ')}`);
  return await program(z.array(z.string()).parse(await json(input)), { FINHOOK_DATA_DIR });
}

/**
 * Runs programs for the dashboard's tests: `POST /account-create` with the arguments as JSON. Separate processes would
 * each load the service's code.
 */
const server = createServer((request, response) => {
  run(request.url ?? '', request).then(
    (result) => response.end(JSON.stringify(result)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
// Ends with its parent.
process.stdin.once('end', () => process.exit()).resume();
