// Risk: the package that users install works in this repository only, or slows down the compilation of every application.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedDelivery } from './signed-delivery.ts';
import { type Finhook, startFinhook } from './start-finhook.ts';
import { event, secret } from './test-receiver.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
const compilers = {
  7: join(repository, 'node_modules/typescript/bin/tsc'),
  5: join(root, 'node_modules/typescript-5/bin/tsc'),
};
const application = mkdtempSync(join(tmpdir(), 'finhook-application-'));
const installed = join(application, 'node_modules/@finhook/client');

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: application, encoding: 'utf8' });

// npm needs no registry for a package without dependencies.
beforeAll(() => {
  const tarball = run(process.execPath, join(root, 'scripts/pack-client.ts'), '--into', application).trim();
  writeFileSync(join(application, 'package.json'), '{"type":"module"}');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  mkdirSync(join(application, 'node_modules/@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(application, 'node_modules/@types/node'));
  for (const example of ['typed-client.ts', 'ten-lines.ts'])
    cpSync(join(root, 'examples', example), join(application, example));
}, 120_000);
afterAll(() => rmSync(application, { recursive: true, force: true }));

test('it needs no other package, and contains its licence, readme and changelog', () => {
  expect(readdirSync(join(application, 'node_modules')).filter((name) => !/^[.]|^@types$/.test(name))).toEqual([
    '@finhook',
  ]);
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    expect(readFileSync(join(installed, name), 'utf8').length).toBeGreaterThan(1000);
  const declarations = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const name of declarations.filter((path) => path.endsWith('.d.ts'))) {
    const imports = readFileSync(join(installed, 'dist', name), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g);
    for (const [, specifier] of imports) expect(specifier, name).toMatch(/^\.\.?\/.*\.js$/);
  }
});

test('it runs where there are web standards only, as in Cloudflare Workers', async () => {
  const { AbortController, TextDecoder, TextEncoder, URL, atob, btoa, clearTimeout, crypto, performance, setTimeout } =
    globalThis;
  const standards = {
    AbortController,
    TextDecoder,
    TextEncoder,
    URL,
    atob,
    btoa,
    clearTimeout,
    crypto,
    performance,
    setTimeout,
  };
  const sent: string[] = [];
  const fetch = async (url: string) => {
    sent.push(url);
    return new Response('[{"result":{"data":{"object":"me"}}}]');
  };
  const { body, headers } = signedDelivery(event, { secrets: [secret] });
  const context = createContext({
    ...standards,
    fetch,
    exports: {},
    input: { body: body.toString(), headers, secret },
  });
  runInContext(readFileSync(join(installed, 'dist/cjs/index.js'), 'utf8'), context);
  const program = `(async () => {
    const bytes = new TextEncoder().encode(input.body);
    const verdict = await exports.parseWebhook({ ...input, body: bytes.buffer });
    const me = await exports.createClient({ baseUrl: 'https://finhook.example.com', apiKey: 'sk_test_x' }).me.get();
    return JSON.stringify([verdict.event, me]);
  })()`;
  expect(JSON.parse(await asText(runInContext(program, context)))).toEqual([event, { object: 'me' }]);
  expect(sent).toHaveLength(1);
});

function asText(result: unknown): Promise<string> {
  return result as Promise<string>;
}

const whole = `import { createClient, isKnownEvent, isProblem, type CashBalance, type FinhookClient, type ReceivedEvent } from '@finhook/client';
  import { signSampleEvent } from '@finhook/client/testing';
  const finhook: FinhookClient = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'sk_test_x' });
  export async function main(): Promise<CashBalance[]> {
    const { balance_cents } = await finhook.cash.balances.upsert({
      company_id: 'co_x', as_of: '2026-03-02', currency: 'USD',
      // @ts-expect-error cents are a number
      balance_cents: '1',
    });
    // @ts-expect-error and they come back as one
    balance_cents.length;
    const found: CashBalance[] = [];
    for await (const balance of finhook.cash.balances.list({ company_id: 'co_x' })) found.push(balance);
    await finhook.companies.get({ company_id: 'co_x' }, { timeoutMs: 1000 }).catch((error: unknown) => {
      if (!isProblem(error, 'company_not_found')) throw error;
      const code: 'company_not_found' = error.problem.code;
      return code;
    });
    return found;
  }
  export async function sample(): Promise<number> {
    const { event } = await signSampleEvent('bank.balance.updated', { secret: '', data: { balance_cents: 1 } });
    // @ts-expect-error the data is that of the type
    await signSampleEvent('bank.balance.updated', { secret: '', data: { balance_cents: '1' } });
    return event.data.balance_cents;
  }
  export function currencyOf(event: ReceivedEvent): string | undefined {
    return isKnownEvent(event) && event.type === 'bank.transaction.posted' ? event.data.transactions[0]?.currency : undefined;
  }`;
const parse = `import { parseWebhook } from '@finhook/client';
  export const parsed = parseWebhook({ body: '', headers: {}, secret: '' });`;

/** Compiles strictly and with the checks of declarations, and returns the number of instantiations. */
function compile(version: keyof typeof compilers, file: string, source: string, ...options: readonly string[]): number {
  writeFileSync(join(application, file), source);
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', '--extendedDiagnostics'];
  const compiler = spawnSync(process.execPath, [compilers[version], ...strict, ...options, file], {
    cwd: application,
    encoding: 'utf8',
  });
  expect(compiler.status, compiler.stdout).toBe(0);
  return Number(/Instantiations: +(\d+)/.exec(compiler.stdout)?.[1]);
}

describe('a strict application', () => {
  test.each<[string, keyof typeof compilers, string, readonly string[]]>([
    ['nodenext, a module', 7, 'whole.ts', ['--module', 'nodenext']],
    ['nodenext, CommonJS', 7, 'whole.cts', ['--module', 'nodenext']],
    [
      'bundler',
      7,
      'whole.ts',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
    ],
    ['nodenext, exact optional properties', 5, 'whole.ts', ['--module', 'nodenext', '--exactOptionalPropertyTypes']],
    ['node10', 5, 'whole.ts', ['--module', 'commonjs', '--moduleResolution', 'node10']],
  ])('compiles with the types of every operation and event: %s', (_, version, file, options) => {
    expect(compile(version, file, whole, ...options)).toBeGreaterThan(0);
  });

  test.each([7, 5] as const)('pays no more than its own code costs, with TypeScript %i', (version) => {
    const instantiations = (source: string) => compile(version, 'cost.ts', source, '--module', 'nodenext');
    const nothing = instantiations('export {};');
    expect(instantiations(parse) - nothing).toBeLessThan(2_000);
    expect(instantiations(whole) - nothing).toBeLessThan(10_000);
  });

  test('compiles the examples of the guide', () => {
    const source = "import './typed-client.ts'; import './ten-lines.ts';";
    const options = ['--module', 'nodenext', '--allowImportingTsExtensions'];
    expect(compile(7, 'examples.ts', source, ...options)).toBeGreaterThan(0);
  });
});

const equalTypes = `import type { FinhookClient as Own, Problem as OwnProblem, WebhookEvent as OwnEvent } from '@finhook/client';
  import type { FinhookClient as Packed, Problem as PackedProblem, WebhookEvent as PackedEvent } from './packed/index.js';
  type Inputs<T> = {
    [K in keyof T]: T[K] extends (input: infer I, ...rest: never[]) => unknown
      ? { type: NonNullable<I>; optional: undefined extends I ? true : false }
      : Inputs<T[K]>;
  };
  type Outputs<T> = {
    [K in keyof T]: T[K] extends (...call: never[]) => infer R
      ? { type: Awaited<R>; item: R extends AsyncIterable<infer I> ? I : null }
      : Outputs<T[K]>;
  };
  type Contract<Client, Problem, Event> = { inputs: Inputs<Client>; outputs: Outputs<Client>; problem: Problem; event: Event };
  declare const own: Contract<Own, OwnProblem, OwnEvent>;
  declare const packed: Contract<Packed, PackedProblem, PackedEvent>;
  export const toPacked: typeof packed = own;
  export const toOwn: typeof own = packed;`;

/** What the blocks of the readme leave out. */
const surroundings = `import type * as client from '@finhook/client';
  declare global {
    const finhook: client.FinhookClient;
    const createClient: typeof client.createClient;
    const isProblem: typeof client.isProblem;
    const baseUrl: string, apiKey: string, company_id: string, secret: string, receiverUrl: string, batch: string;
    const transactions: client.BankTransactionInput[];
    const propagation: { inject: (context: unknown, carrier: object) => void };
    const context: { active: () => unknown };
    const log: Record<'info' | 'warn', (facts: object) => void>;
  }`;

test('the readme compiles', () => {
  writeFileSync(join(application, 'surroundings.ts'), surroundings);
  const blocks = readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g);
  const files = [...blocks].map(([, block = ''], index) => {
    writeFileSync(join(application, `readme-${index}.ts`), `${block}\nexport {};`);
    return `import './readme-${index}.ts';`;
  });
  expect(files.length).toBeGreaterThan(5);
  const source = ["import './surroundings.ts';", ...files].join('\n');
  expect(compile(7, 'readme.ts', source, '--module', 'nodenext', '--allowImportingTsExtensions')).toBeGreaterThan(0);
});

test('its types are those of the router and of the events', { timeout: 120_000 }, () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/types-'));
  try {
    symlinkSync(join(installed, 'dist/esm'), join(folder, 'packed'));
    writeFileSync(join(folder, 'equal-types.ts'), equalTypes);
    // In one of the two, an optional property may also be `undefined`.
    const compilerOptions = { exactOptionalPropertyTypes: false };
    const config = {
      extends: join(repository, 'tsconfig.json'),
      compilerOptions,
      files: ['equal-types.ts'],
      include: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = spawnSync(compilers[7], ['-p', folder], { encoding: 'utf8' });
    expect(compiler).toMatchObject({ stdout: '', status: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a running application', () => {
  let finhook: Finhook;
  beforeAll(async () => {
    finhook = await startFinhook();
  }, 120_000);
  afterAll(() => finhook.stop());

  test.each([
    [
      'a module',
      'run.mjs',
      "import { createClient, isProblem, parseWebhook } from '@finhook/client'; import { signSampleEvent } from '@finhook/client/testing';",
    ],
    [
      'CommonJS',
      'run.cjs',
      "const { createClient, isProblem, parseWebhook } = require('@finhook/client'); const { signSampleEvent } = require('@finhook/client/testing');",
    ],
  ])('calls the service and verifies deliveries: %s', (_, file, imports) => {
    const { body, headers } = signedDelivery(event, { secrets: [secret] });
    const secrets = [secret, `${secret.slice(0, -4)}AAAA`];
    writeFileSync(
      join(application, file),
      `${imports}
       const { service, body, headers, secrets } = JSON.parse(process.argv[2]);
       async function main() {
         const client = createClient(service);
         const { id } = await client.companies.create({ name: 'Packed' });
         const names = [];
         for await (const company of client.companies.list({ limit: 1 })) names.push(company.name);
         const missing = await client.companies.get({ company_id: 'co_none' }).catch((error) => isProblem(error, 'company_not_found'));
         const verdicts = await Promise.all(secrets.map((secret) => parseWebhook({ body, headers, secret })));
         const sample = await signSampleEvent('company.created', { secret: secrets[0] });
         verdicts.push(await parseWebhook({ ...sample, secret: secrets[0] }));
         return { id, names, missing, verdicts: verdicts.map((verdict) => verdict.ok ? verdict.event : verdict.reason) };
       }
       main().then((result) => console.log(JSON.stringify(result)));`,
    );
    const input = { service: finhook.connection, body: body.toString(), headers, secrets };
    const output: unknown = JSON.parse(run(process.execPath, file, JSON.stringify(input)));
    expect(output).toMatchObject({ id: expect.stringMatching(/^co_/), missing: true });
    expect(output).toMatchObject({
      names: expect.arrayContaining(['Packed']),
      verdicts: [event, 'no_matching_signature', { type: 'company.created' }],
    });
  });
});
