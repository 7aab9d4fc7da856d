import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';

type Program = (args: unknown, env: { FINHOOK_DATA_DIR: string }) => Promise<object>;

function asProgram(value: unknown): Program {
  return value as Program;
}

const [folder = '', FINHOOK_DATA_DIR = ''] = process.argv.slice(2);

async function run(path: string, input: Readable): Promise<object> {
  const [program] = Object.values(await import(folder + path));
  return await asProgram(program)(await json(input), { FINHOOK_DATA_DIR });
}

/**
 * Runs programs of apps/cli: `POST /account-create.ts` with the arguments as JSON. A process for each would load the service's
 * code for each, which costs more than all the rest of it.
 */
const server = createServer((request, response) => {
  run(request.url ?? '', request).then(
    (result) => response.end(JSON.stringify(result)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
// Ends with the process that started it.
process.stdin.once('end', () => process.exit()).resume();
