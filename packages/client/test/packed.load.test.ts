// Risk: the packed client works in this repository only, or slows down the compilation of applications.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, compilers, installApplication } from './application.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
let application: Application;
beforeAll(() => {
  application = installApplication();
  for (const example of ['typed-client.ts', 'ten-lines.ts'])
    cpSync(join(root, 'examples', example), join(application.folder, example));
}, 120_000);
afterAll(() => application.remove());

test('it needs no other package, and contains its licence, readme and changelog', () => {
  expect(readdirSync(join(application.folder, 'node_modules')).filter((name) => !/^[.]|^@types$/.test(name))).toEqual([
    '@finhook',
  ]);
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    expect(readFileSync(join(application.installed, name), 'utf8').length).toBeGreaterThan(1000);
  const declarations = readdirSync(join(application.installed, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const name of declarations.filter((path) => path.endsWith('.d.ts'))) {
    const imports = readFileSync(join(application.installed, 'dist', name), 'utf8').matchAll(
      /(?:from|import\() ?'([^']+)'/g,
    );
    for (const [, specifier] of imports) expect(specifier, name).toMatch(/^\.\.?\/.*\.js$/);
  }
});

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

/** Compiles strictly, declarations included, and returns the number of instantiations. */
function compile(version: keyof typeof compilers, file: string, source: string, ...options: readonly string[]): number {
  writeFileSync(join(application.folder, file), source);
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', '--extendedDiagnostics'];
  const compiler = spawnSync(process.execPath, [compilers[version], ...strict, ...options, file], {
    cwd: application.folder,
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

  // Three compilations, each of which may take a minute on a busy machine.
  test.each([7, 5] as const)(
    'pays no more than its own code costs, with TypeScript %i',
    { timeout: 300_000 },
    (version) => {
      const instantiations = (source: string) => compile(version, 'cost.ts', source, '--module', 'nodenext');
      const nothing = instantiations('export {};');
      expect(instantiations(parse) - nothing).toBeLessThan(2_000);
      expect(instantiations(whole) - nothing).toBeLessThan(10_000);
    },
  );

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

/** Declarations that the blocks of the readme omit. */
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
  writeFileSync(join(application.folder, 'surroundings.ts'), surroundings);
  const blocks = readFileSync(join(application.installed, 'README.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g);
  const files = [...blocks].map(([, block = ''], index) => {
    writeFileSync(join(application.folder, `readme-${index}.ts`), `${block}\nexport {};`);
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
    symlinkSync(join(application.installed, 'dist/esm'), join(folder, 'packed'));
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
