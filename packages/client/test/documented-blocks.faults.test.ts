// Risk: a command or a program copied from the documentation fails.
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, compilers, installApplication } from './application.ts';
import { type Finhook, startFinhook } from './start-finhook.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const commandLine = join(repository, 'apps/cli/src/finhook/main.ts');

interface Block {
  page: string;
  language: string;
  text: string;
}

const guides = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
const blocks = ['README.md', ...guides.map((name) => `docs/${name}`)].flatMap((page): Block[] => {
  const found = readFileSync(join(repository, page), 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return [...found].map(([, language = '', text = '']) => ({ page, language, text }));
});

/** Blocks that this test does not run, by a part of their text, with the reason. */
const elsewhere: readonly [content: RegExp, reason: string][] = [
  [/pnpm@12\.21\.0 (start|test|install)\b/, '.ci/smoke starts the service as a newcomer does'],
  [/run account:move\b/, 'account-move.faults.test.ts moves an account between two cells'],
  [/run restored\b/, 'restore-cell.db.test.ts and point-in-time.faults.test.ts restore cells'],
  [/run (pack:client|account:create)\b/, '.ci/smoke and packed.faults.test.ts run these scripts'],
  [/node \S*(receiver|sync)\.m[jt]s/, 'runs the program of another block'],
  [/finhook (login|listen|ingest|verify-signature)\b/, 'the tests of apps/cli run these commands with their files'],
  [/claude mcp add|@modelcontextprotocol/, 'apps/api/test/mcp.db.test.ts connects the same client'],
  [/openapi-generator-cli|oapi-codegen|openapi-typescript/, '.ci/clients generates these clients'],
  [/kubectl|systemctl|helm install/, 'deploy.faults.test.ts renders the chart and runs the units'],
  [/docker compose/, 'compose.test.ts reads what Docker would run'],
  [
    /webhookRouter|webhookPlugin|webhookRoute|webhookHandler|webhookListener/,
    'guide.test.ts: these are files of examples/',
  ],
  [/^const \w+ = (new Webhook|await parseWebhook)\(.*\n$/, 'a line that shows what to pass'],
];
const languages = { run: ['sh', 'ts', 'python', 'json'], shown: ['mermaid', 'sql', 'toml', 'text'] };
const isRunHere = ({ text }: Block): boolean => !elsewhere.some(([content]) => content.test(text));
const blocksOf = (language: string): Block[] =>
  blocks.filter((block) => block.language === language && isRunHere(block));

/** The file of exchange rates as the European Central Bank publishes it. */
const ratesOfTheDay = (now: Date): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${now.toISOString().slice(0, 10)}'>
\t\t\t<Cube currency='USD' rate='1.0842'/>
\t\t\t<Cube currency='JPY' rate='162.50'/>
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`;

test('every block is run here or by a test that this file names', () => {
  const unknown = blocks.filter(({ language }) => !Object.values(languages).flat().includes(language));
  expect(unknown).toEqual([]);
  const unused = elsewhere.filter(([content]) => !blocks.some(({ text }) => content.test(text)));
  expect(unused.map(([, reason]) => reason).filter((reason) => !/block|scripts/.test(reason))).toEqual([]);
});

test.each(blocksOf('json').map(({ page, text }) => [page, text]))('the JSON of %s is valid', (_, text) => {
  expect(() => void JSON.parse(text)).not.toThrow();
});

describe('programs', () => {
  let application: Application;
  beforeAll(() => {
    application = installApplication();
  }, 180_000);
  afterAll(() => application.remove());

  test('in TypeScript compile', { timeout: 120_000 }, async () => {
    const files = blocksOf('ts').map(({ page, text }, index) => {
      const name = `${page.replaceAll(/\W/g, '-')}-${index}.ts`;
      writeFileSync(join(application.folder, name), `${text}\nexport {};\n`);
      return name;
    });
    expect(files.length).toBeGreaterThan(1);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    const compiled = promisify(execFile)(process.execPath, [compilers[7], ...options, ...files], {
      cwd: application.folder,
    });
    expect(await compiled.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  });

  test('in Python compile', () => {
    const input = JSON.stringify(blocksOf('python').map(({ text }) => text));
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    expect(spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })).toMatchObject({ stderr: '', status: 0 });
  });

  describe('commands', () => {
    let finhook: Finhook;
    beforeAll(async () => {
      finhook = await startFinhook();
      const transactions = operations.bank.transactions.ingest.example;
      writeFileSync(join(application.folder, 'transactions.json'), JSON.stringify(transactions));
      writeFileSync(join(application.folder, 'ecb.xml'), ratesOfTheDay(new Date()));
    }, 180_000);
    afterAll(() => finhook.stop());

    /** Makes `curl` fail on errors, and replaces placeholders with existing records. */
    async function scriptOf(page: string): Promise<string> {
      const { connection, companyId, client } = finhook;
      const { baseUrl, apiKey } = connection;
      const endpoint = await client.webhookEndpoints.create({ url: 'http://127.0.0.1:4000/webhooks' });
      const delivery = await client.webhookEndpoints.test({ endpoint_id: endpoint.id });
      const replay = await client.webhookEndpoints.replay({ endpoint_id: endpoint.id, since: delivery.created_at });
      const commands = blocksOf('sh')
        .filter((block) => block.page === page)
        .map(({ text }) => text)
        .join('\n')
        .replaceAll(/^API=.*$/gm, '')
        .replaceAll(/npx -y pnpm@[\d.]+ (--silent )?finhook\b/g, 'finhook')
        .replaceAll('https://finhook.example.com', baseUrl)
        .replaceAll(/https:\/\/www\.ecb\.europa\.eu\S*/g, `file://${join(application.folder, 'ecb.xml')}`)
        .replaceAll('co_…', companyId)
        .replaceAll('we_…', endpoint.id)
        .replaceAll('dlv_…', delivery.id)
        .replaceAll('evt_…', delivery.event_id)
        .replaceAll('rpl_…', 'id' in replay ? replay.id : '');
      return `set -eo pipefail
        curl() { command curl -S --fail-with-body "$@"; }
        finhook() { node ${commandLine} "$@"; }
        API=${baseUrl}/api/v1 KEY=${apiKey} COMPANY=${companyId}
        BASE_URL=${baseUrl} API_KEY=${apiKey}
        export FINHOOK_URL=${baseUrl} FINHOOK_API_KEY=${apiKey}
        ${commands}`;
    }

    async function runProgram(page: string, name: string, companyId: string, more = ''): Promise<string> {
      const program = blocks.find((block) => block.page === page && block.language === 'ts')?.text ?? '';
      writeFileSync(join(application.folder, name), program + more);
      const { baseUrl, apiKey } = finhook.connection;
      const env = { FINHOOK_URL: baseUrl, FINHOOK_API_KEY: apiKey, COMPANY_ID: companyId };
      return (await promisify(execFile)(process.execPath, [name], { cwd: application.folder, env })).stdout;
    }

    test('the program of send-data sends its statement, and the second time it is known', {
      timeout: 60_000,
    }, async () => {
      const { id } = await finhook.client.companies.create({ name: 'Sync', base_currency: 'USD' });
      const statement = blocks.find(({ page, text }) => page === 'docs/send-data.md' && text.includes('"balance": {'));
      writeFileSync(join(application.folder, 'statement.json'), statement?.text ?? '');
      const run = () => runProgram('docs/send-data.md', 'sync.mts', id);
      expect(await run()).toBe('2 stored, 0 known, 0 invalid\nbalance created\n');
      expect(await run()).toBe('0 stored, 2 known, 0 invalid\nbalance unchanged\n');
    });

    test('the program of going-to-production reads each event of the feed once', { timeout: 60_000 }, async () => {
      const ids: string[] = [];
      for await (const { id } of finhook.client.events.list({ order: 'asc' })) ids.push(id);
      expect(ids.length).toBeGreaterThan(0);
      const more = 'await reconcile(undefined, async ({ id }) => console.log(id));';
      const output = await runProgram('docs/going-to-production.md', 'reconcile.mts', '', more);
      expect(output.trim().split('\n').toSorted()).toEqual(ids.toSorted());
    });

    const pages = [...new Set(blocksOf('sh').map(({ page }) => page))];
    test.each(pages)('of %s succeed, in their order', { timeout: 120_000 }, async (page) => {
      const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: application.folder };
      const options = { cwd: application.folder, env, maxBuffer: 2 ** 26 };
      const ended = promisify(execFile)('bash', ['-c', await scriptOf(page)], options);
      expect(await ended.catch((error: unknown) => error)).not.toBeInstanceOf(Error);
    });

    test('of cash-and-runway store the rates of the day', async () => {
      const { base, rates, source } = await finhook.client.fxRates.get();
      expect({ base, rates, source }).toEqual({
        base: 'EUR',
        rates: { EUR: '1', JPY: '162.50', USD: '1.0842' },
        source: 'ECB',
      });
    });
  });
});
