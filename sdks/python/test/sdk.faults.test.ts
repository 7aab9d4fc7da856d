// Risk: the wheel that users install works in this repository only, a lost response makes a retry store data twice, or the
// example receiver takes a forged delivery for the service's.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectExamplesToSucceed } from '../../../apps/api/test/run-examples.ts';
import { type Finhook, startFinhook } from '../../../packages/client/test/start-finhook.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const vectors = fileURLToPath(new URL('../../../packages/signing/vectors/vectors.json', import.meta.url));
const hasPython =
  spawnSync('python3', ['-c', 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
const reason = hasPython ? '' : ': NOT RUN, Python 3.11 with venv is missing (apt-get install python3-venv)';

// No test leaves this folder, which is outside of the repository.
const application = hasPython ? mkdtempSync(join(tmpdir(), 'finhook-python-')) : '';
const python = join(application, 'venv/bin/python');
const environment = (variables: Record<string, string>) => ({
  PATH: '/usr/bin:/bin',
  PYTHONDONTWRITEBYTECODE: '1',
  ...variables,
});

/** What the blocks of the readme leave out. */
const surroundings = `import os
from types import SimpleNamespace
app = SimpleNamespace(post=lambda path: lambda handler: handler)
company_id, batch = os.environ["COMPANY"], 1
rows = [{"external_id": "readme-1", "posted_at": "2026-03-02T12:00:00Z", "amount_cents": -1, "currency": "USD"}]
`;

/** Runs each example as a program of its own, in one process. */
const runExamples = `import json, sys
for example in json.load(open(sys.argv[1])):
    try:
        exec(compile(example["code"], example["id"], "exec"), {"__name__": "__main__"})
        print(f"# {example['id']}: ok")
    except Exception as error:
        print(f"# {example['id']}: {error!r}")
`;

interface Attempt {
  readonly path: string;
  readonly key: string;
  readonly status: number;
}

/**
 * A proxy that loses the first response to each change, and is too busy for the second attempt. Dry runs pass.
 */
async function startLossyProxy(
  target: string,
): Promise<{ url: string; attempts: readonly Attempt[]; close: () => void }> {
  const attempts: Attempt[] = [];
  const forward = async (request: IncomingMessage) => {
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': String(key) };
    const response = await fetch(target + request.url, { method: 'POST', headers, body: await buffer(request) });
    return { status: response.status, body: await response.text() };
  };
  const respond = async (request: IncomingMessage): Promise<{ status: number; body: string }> => {
    const path = request.url ?? '';
    if (path.includes('dry_run')) return forward(request);
    const key = String(request.headers['idempotency-key']);
    const earlier = attempts.filter((attempt) => attempt.key === key).length;
    const response = earlier === 1 ? undefined : await forward(request);
    const result =
      response === undefined ? { status: 429, body: '' } : earlier === 0 ? { status: 503, body: '' } : response;
    attempts.push({ path: path.slice(path.lastIndexOf('/')), key, status: result.status });
    return result;
  };
  const server = createServer((request, response) => {
    void respond(request).then(({ status, body }) =>
      response.writeHead(status, status < 400 ? {} : { 'retry-after': '0' }).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server.address())}`, attempts, close: () => server.close() };
}

function portOf(address: unknown): number {
  return Number(Reflect.get(Object(address), 'port'));
}

describe.skipIf(!hasPython)(`the Python SDK, installed from its wheel${reason}`, () => {
  let finhook: Finhook;
  const running = new AsyncDisposableStack();

  /** Builds the wheel, and installs it beside what its tests need. */
  async function install(): Promise<void> {
    const run = promisify(execFile);
    const pip = async (...packages: string[]) =>
      void (await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...packages]));
    const prepare = async () => {
      await run('python3', ['-m', 'venv', join(application, 'venv')]);
      await pip('pytest==9.2.0', 'cryptography==50.0.2');
    };
    const [built] = await Promise.all([run(join(root, 'build'), [application]), prepare()]);
    await pip(built.stdout.trim().split('\n').at(-1) ?? '');
    for (const folder of ['examples', 'test'])
      cpSync(join(root, folder), join(application, folder), { recursive: true });
  }

  beforeAll(async () => {
    const start = async () => {
      finhook = await startFinhook();
      running.defer(() => finhook.stop());
    };
    await Promise.all([install(), start()]);
  }, 400_000);
  afterAll(async () => {
    await running.disposeAsync();
    rmSync(application, { recursive: true, force: true });
  });

  /** Starts the example on a free port. */
  async function startReceiver(secret: string): Promise<{ url: string; output: () => string }> {
    const env = environment({ WEBHOOK_SECRET: secret, DATABASE: join(application, 'events.db') });
    const child = spawn(python, [join(application, 'examples/receiver.py'), '0'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.defer(() => void child.kill());
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await vi.waitFor(
      () => {
        const [, listening] = /Listening on (\S+)/.exec(output) ?? [];
        if (listening === undefined) throw new Error(`The receiver does not listen: ${output}`);
        return listening;
      },
      { timeout: 30_000 },
    );
    return { url, output: () => output };
  }

  async function runProvider(url: string, key: string, file: string): Promise<string> {
    const env = environment({ FINHOOK_URL: url, FINHOOK_API_KEY: key });
    const options = ['--connection', 'acme-checking', '--balance', '41250.00', '--as-of', '2026-03-31'];
    const program = [join(application, 'examples/provider.py'), finhook.companyId, file, ...options];
    return (await promisify(execFile)(python, program, { env })).stdout;
  }

  test('its unit tests pass', { timeout: 120_000 }, async () => {
    const tests = [python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(application, 'test')]] as const;
    const env = environment({ FINHOOK_VECTORS: vectors });
    expect((await promisify(execFile)(...tests, { env })).stdout).toMatch(/\d+ passed in/);
  });

  test('the example provider stores its file once although responses are lost, and the example receiver gets it', {
    timeout: 120_000,
  }, async () => {
    const { create, update } = finhook.client.webhookEndpoints;
    const events = ['bank.transaction.posted' as const, 'bank.balance.updated' as const];
    const { id, secret } = await create({ url: 'http://127.0.0.1:4000/not-yet', events });
    const company_ids = [finhook.companyId];
    const { key } = await finhook.client.apiKeys.create({ name: 'Bank', scope: 'ingest', company_ids });
    const receiver = await startReceiver(secret);
    await update({ endpoint_id: id, url: receiver.url });
    const proxy = await startLossyProxy(finhook.connection.baseUrl);
    running.defer(proxy.close);

    const rows = ['b-1,2026-03-30,-125.00,Cloud hosting', 'b-2,2026-03-30,40000.00,"Series A, first half"'];
    const file = join(application, 'transactions.csv');
    writeFileSync(file, ['id,date,amount,description', ...rows, ''].join('\n'));
    const send = () => runProvider(proxy.url, key, file);
    expect(await send()).toBe('2 transactions stored, 0 known; balance created\n');

    const statuses = (path: string) =>
      proxy.attempts.filter((attempt) => attempt.path === path).map(({ status }) => status);
    expect(statuses('/transactions')).toEqual([503, 429, 201]);
    expect(statuses('/balances')).toEqual([503, 429, 201]);
    expect(new Set(proxy.attempts.map((attempt) => attempt.key)).size).toBe(2);
    expect(await send()).toBe('0 transactions stored, 2 known; balance unchanged\n');

    const company = { company_id: finhook.companyId };
    const stored = await finhook.client.bank.transactions.list(company);
    expect(stored.data.map(({ external_id, amount_cents }) => [external_id, amount_cents])).toEqual(
      expect.arrayContaining([
        ['b-1', -12_500],
        ['b-2', 4_000_000],
      ]),
    );
    expect(stored.data).toHaveLength(2);
    // Each of the two runs has an event of both types, whatever it stored.
    await vi.waitFor(() => expect(receiver.output().match(/^bank\..*/gm)).toHaveLength(4), { timeout: 30_000 });
    expect(receiver.output()).toContain('"description": "Series A, first half"');
    expect(receiver.output()).toContain('"balance_cents": 4125000');
    expect((await finhook.client.events.list({ ...company, type: 'bank.transaction.posted' })).data).toHaveLength(2);
  });

  test.each([
    ['a day of another form', '1,31.03.2026,1.00,x', "line 2: '31.03.2026' is no day"],
    ['an amount of another form', '1,2026-03-31,"1,00",x', "line 2: '1,00' is no amount"],
    ['a missing column', '1,2026-03-31,1.00', 'line 2: 3 columns instead of 4'],
    ['a row that the service rejects', ',2026-03-31,1.00,x', 'transaction : external_id'],
  ])('%s is named by the example provider', { timeout: 60_000 }, async (_, row, message) => {
    const { baseUrl, apiKey } = finhook.connection;
    const file = join(application, 'invalid.csv');
    writeFileSync(file, `id,date,amount,description\n${row}\n`);
    const { stderr } = await runProvider(baseUrl, apiKey, file).catch((error: unknown) => Object(error));
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('Traceback');
  });

  test('the code of the readme runs', { timeout: 60_000 }, async () => {
    const blocks = readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```python\n([^]*?)```/g);
    const code = [...blocks].map(([, block]) => block);
    expect(code.length).toBeGreaterThan(5);
    const source = [surroundings, ...code]
      .join('\n')
      .replace('https://finhook.example.com', finhook.connection.baseUrl);
    writeFileSync(join(application, 'readme.py'), source);
    const env = environment({ FINHOOK_API_KEY: finhook.connection.apiKey, COMPANY: finhook.companyId });
    await promisify(execFile)(python, [join(application, 'readme.py')], { env });
  });

  test('the program of the guide sends its statement, and the second time it is known', {
    timeout: 60_000,
  }, async () => {
    const guide = readFileSync(join(root, '../../docs/send-data.md'), 'utf8');
    const [, code = ''] = /```python\n([^]*?)```/.exec(guide) ?? [];
    const [statement = ''] = /^\{\n {2}"transactions"[^]*?^\}/m.exec(guide) ?? [];
    writeFileSync(join(application, 'statement.json'), statement);
    const { baseUrl, apiKey } = finhook.connection;
    const { id } = await finhook.client.companies.create({ name: 'Sync', base_currency: 'USD' });
    const env = environment({ FINHOOK_URL: baseUrl, FINHOOK_API_KEY: apiKey, COMPANY_ID: id });
    const run = () => promisify(execFile)(python, ['-c', code], { cwd: application, env });
    expect((await run()).stdout).toBe('2 stored, 0 known, 0 invalid\nbalance created\n');
    expect((await run()).stdout).toBe('0 stored, 2 known, 0 invalid\nbalance unchanged\n');
  });

  test('a request of unknown length is refused', { timeout: 60_000 }, async () => {
    const receiver = await startReceiver(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
    for (const length of ['-1', 'x']) {
      const { port, hostname } = new URL(receiver.url);
      const socket = connect(Number(port), hostname);
      socket.write(`POST / HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n{}`);
      expect((await text(socket)).split('\r\n', 1)).toEqual(['HTTP/1.0 411 Length Required']);
    }
  });

  test('the example of every operation succeeds', { timeout: 180_000 }, () =>
    expectExamplesToSucceed('python', async (examples, env) => {
      const file = join(application, 'operation-examples.json');
      writeFileSync(file, JSON.stringify(examples));
      const options = { env: environment(env), maxBuffer: 2 ** 24 };
      return (await promisify(execFile)(python, ['-c', runExamples, file], options)).stdout;
    }),
  );

  test('a forged delivery is refused and not stored', { timeout: 60_000 }, async () => {
    const receiver = await startReceiver(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
    const seconds = Math.floor(Date.now() / 1000);
    const headers = { 'x-service-signature': `t=${seconds},v1=${'0'.repeat(64)}` };
    const response = await fetch(receiver.url, { method: 'POST', headers, body: '{"id":"evt_forged"}' });
    expect([response.status, await response.text()]).toEqual([400, 'no_matching_signature']);
    await expect.poll(receiver.output).toContain('check that the secret is this endpoint');
    expect(receiver.output()).not.toContain('evt_forged');
  });
});
