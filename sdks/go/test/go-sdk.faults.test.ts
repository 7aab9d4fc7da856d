// Risk: the Go module does not build outside this repository, stores a row twice when it repeats a request, or accepts a
// forged webhook.
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectExamplesToSucceed, type RunnableExample } from '../../../apps/api/test/run-examples.ts';
import { type Listening, listen } from '../../../packages/client/test/listen.ts';
import { post, secretOf, signedDelivery } from '../../../packages/client/test/signed-delivery.ts';
import { type Finhook, startFinhook } from '../../../packages/client/test/start-finhook.ts';

const sdk = join(import.meta.dirname, '..');
const [, minor = '0'] =
  /^go1\.(\d+)/.exec(spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout ?? '') ?? [];
const missing = Number(minor) < 25;

const folder = join(tmpdir(), `finhook-go-${process.pid}`);
const module = join(folder, 'finhook');
const application = join(folder, 'application');
const program = (name: string): string => join(application, 'bin', name);

/** Without a module proxy: nothing but the module and Go itself may be needed. */
const go = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('env', ['GOPROXY=off', 'GOWORK=off', 'go', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });

/** What the blocks of the readme leave out. */
const surroundings = `package readme

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	finhook "github.com/finhook/finhook-go"
)

var _ = []any{json.Valid, errors.As, fmt.Sprint, io.EOF, log.Print, http.MethodGet, os.Getenv}

func _(ctx context.Context, client *finhook.Client, companyID, endpointID string,
	rows []finhook.BankTransactionInput, body finhook.BankTransactionsIngestBody) (err error) {
	{
		BLOCK
	}
	return err
}
`;

/** Each example in a function, and a main that calls them. */
function examplesProgram(examples: readonly RunnableExample[]): string {
  const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, '\t');
  const functions = examples.map(
    ({ code }, index) => `func example${index}(ctx context.Context) error {\n${indented(code)}\n\treturn nil\n}\n`,
  );
  const calls = examples.map(({ id }, index) => `\treport("${id}", example${index})\n`);
  return `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	finhook "github.com/finhook/finhook-go"
)

func report(id string, example func(context.Context) error) {
	if err := example(context.Background()); err != nil {
		fmt.Printf("# %s: %v\\n", id, err)
		return
	}
	fmt.Printf("# %s: ok\\n", id)
}

func main() {
${calls.join('')}}

${functions.join('\n')}`;
}

interface Receiver {
  readonly url: string;
  readonly output: () => string;
}

const children: ChildProcess[] = [];

async function startReceiver(secret: string): Promise<Receiver> {
  const child = spawn(program('receiver'), { env: { WEBHOOK_SECRET: secret, LISTEN: '127.0.0.1:0' } });
  children.push(child);
  let output = '';
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()));
  const address = /listening on (\S+)/;
  await vi.waitFor(() => expect(log).toMatch(address), { timeout: 30_000 });
  return { url: `http://${address.exec(log)?.[1]}`, output: () => output };
}

describe.skipIf(missing)(`the Go module${missing ? ' (not tried: Go 1.25 or newer is missing)' : ''}`, () => {
  let finhook: Finhook;
  let receiver: Receiver;
  let secret = '';
  let key = '';

  beforeAll(async () => {
    execFileSync(join(sdk, 'build'), [module], { stdio: 'pipe' });
    for (const name of ['provider', 'receiver'])
      cpSync(join(module, 'examples', name), join(application, name), { recursive: true });
    go(application, 'mod', 'init', 'example.com/application');
    const path = 'github.com/finhook/finhook-go';
    go(application, 'mod', 'edit', `-require=${path}@v0.0.0`, `-replace=${path}=${module}`);
    go(application, 'build', '-o', 'bin/', './...');
    finhook = await startFinhook();
    const { webhookEndpoints, apiKeys } = finhook.client;
    const events = ['bank.transaction.posted' as const, 'bank.balance.updated' as const];
    const endpoint = await webhookEndpoints.create({ url: 'http://127.0.0.1:4000/not-yet', events });
    secret = endpoint.secret;
    receiver = await startReceiver(secret);
    await webhookEndpoints.update({ endpoint_id: endpoint.id, url: receiver.url });
    key = (await apiKeys.create({ name: 'Provider', scope: 'ingest' })).key;
  }, 400_000);
  afterAll(async () => {
    for (const child of children) {
      child.kill();
      await once(child, 'close');
    }
    await finhook?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('passes its own tests', { timeout: 300_000 }, () => {
    expect(readdirSync(module)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'api.gen.go']));
    expect(go(module, 'test', './...')).toContain('ok');
  });

  test('the blocks of its readme compile', { timeout: 120_000 }, () => {
    const blocks = readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/```go\n([^]*?)```/g);
    const functions = [...blocks].map(([, block = '']) => surroundings.replace('BLOCK', block));
    expect(functions.length).toBeGreaterThan(5);
    mkdirSync(join(application, 'readme'));
    functions.forEach((text, index) => writeFileSync(join(application, 'readme', `${index}.go`), text));
    expect(go(application, 'build', './readme')).toBe('');
  });

  test('the example of every operation is formatted and succeeds', { timeout: 300_000 }, () =>
    expectExamplesToSucceed('go', async (examples, env) => {
      const source = examplesProgram(examples);
      mkdirSync(join(application, 'examples'));
      writeFileSync(join(application, 'examples', 'main.go'), source);
      expect(execFileSync('gofmt', ['-d', 'examples'], { cwd: application, encoding: 'utf8' })).toBe('');
      go(application, 'build', '-o', 'bin/', './examples');
      return (await promisify(execFile)(program('examples'), { env })).stdout;
    }),
  );

  /** Runs the provider of the readme: two transactions, -12.50 and 100.00, and a balance of 87.50. */
  async function runProvider(
    url: string,
    connection: string,
    balance = '87.50',
    rows: readonly string[] = ['1,2026-03-30,-12.50,Hosting', '2,2026-03-31,100,"Invoice, paid"'],
  ): Promise<string> {
    const flags = { company: finhook.companyId, connection, balance, 'as-of': '2026-03-31' };
    const file = join(folder, `${connection}.csv`);
    writeFileSync(file, ['\u{feff}id,date,amount,description', ...rows].join('\n'));
    const args = [...Object.entries(flags).flatMap(([name, value]) => [`-${name}`, value]), file];
    const env = { FINHOOK_URL: url, FINHOOK_API_KEY: key };
    return (await promisify(execFile)(program('provider'), args, { env })).stdout;
  }

  async function transactionsOf(connection: string): Promise<[string, number][]> {
    const stored: [string, number][] = [];
    const query = { company_id: finhook.companyId, connection_id: connection };
    for await (const row of finhook.client.bank.transactions.list(query))
      stored.push([row.external_id, row.amount_cents]);
    return stored.sort();
  }

  test('what the provider posts arrives at the receiver, and a second run stores nothing', async () => {
    const { baseUrl } = finhook.connection;
    expect(await runProvider(baseUrl, 'checking')).toBe('2 transactions stored, 0 known; balance created\n');
    await expect
      .poll(receiver.output, { timeout: 60_000 })
      .toMatch(/^bank.balance.updated evt_\S+ .*"balance_cents":8750/m);
    await expect
      .poll(receiver.output, { timeout: 60_000 })
      .toMatch(/^bank.transaction.posted evt_\S+ .*"amount_cents":-1250.*"Invoice, paid"/m);
    expect(await runProvider(baseUrl, 'checking')).toBe('0 transactions stored, 2 known; balance unchanged\n');
    expect(await transactionsOf('checking')).toEqual([
      ['1', -1250],
      ['2', 10_000],
    ]);
  });

  test.each([
    ['a missing balance', '', [], 'usage: provider'],
    ['a day of another form', '1', ['1,31.03.2026,1.00,x'], 'line 2: "31.03.2026" is no day'],
    ['an amount of another form', '1', ['1,2026-03-31,"1,00",x'], 'line 2: "1,00" is no amount'],
    ['a row that the service rejects', '1', ['1,2026-03-31,1,x', ',2026-03-31,1,x'], 'transaction : external_id'],
  ])('%s is named by the provider, and nothing is stored', async (_, balance, rows, message) => {
    const run = runProvider(finhook.connection.baseUrl, 'refused', balance, rows);
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
    const query = { company_id: finhook.companyId, connection_id: 'refused' };
    expect((await finhook.client.cash.balances.list(query)).data).toEqual([]);
    expect(await transactionsOf('refused')).toEqual([]);
  });

  describe('behind a proxy that fails', () => {
    const attempts = new Map<string, string[]>();
    let proxy: Listening;

    // The first attempt of each call does not reach the service, and the response of the second is lost.
    beforeAll(async () => {
      proxy = await listen((request, response) => {
        const forward = async (): Promise<void> => {
          const body = await buffer(request);
          const id = String(request.headers['idempotency-key']);
          const sent = [...(attempts.get(id) ?? []), body.toString()];
          attempts.set(id, sent);
          if (sent.length === 1) return void response.writeHead(503, { 'retry-after': '0' }).end();
          const { authorization = '' } = request.headers;
          const headers = { authorization, 'idempotency-key': id, 'content-type': 'application/json' };
          const target = finhook.connection.baseUrl + request.url;
          const result = await fetch(target, { method: 'POST', headers, body });
          if (sent.length === 2) return void response.writeHead(429, { 'retry-after': '0' }).end();
          const text = await result.text();
          response.writeHead(result.status, { 'content-type': 'application/json' }).end(text);
        };
        forward().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
      });
    });
    afterAll(() => proxy.close());

    test('each change is repeated with the same key and body, and stored once', async () => {
      expect(await runProvider(proxy.url, 'savings')).toBe('2 transactions stored, 0 known; balance created\n');
      const sent = [...attempts.values()];
      expect(sent.map((bodies) => [bodies.length, new Set(bodies).size])).toEqual([
        [3, 1],
        [3, 1],
        [3, 1],
        [3, 1],
      ]);
      expect((await transactionsOf('savings')).length).toBe(2);
      const posted: unknown[] = [];
      for await (const event of finhook.client.events.list({ type: 'bank.balance.updated' })) posted.push(event.data);
      expect(posted.filter((data) => Reflect.get(Object(data), 'connection_id') === 'savings')).toHaveLength(1);
    });
  });

  test('a forged, an old and an altered delivery are rejected, and a rotated secret is accepted', async () => {
    const event = {
      id: 'evt_1',
      type: 'company.created',
      created_at: new Date().toISOString(),
      account_id: 'acct_1',
      data: {},
    };
    const genuine = signedDelivery(event, { secrets: [secretOf(9), secret] });
    const old = signedDelivery(event, { secrets: [secret], timestamp: Math.floor(Date.now() / 1000) - 301 });
    const responses = await Promise.all(
      [signedDelivery(event, { secrets: [secretOf(9)] }), old, { ...genuine, body: Buffer.from('{}') }].map(
        (delivery) => post(receiver.url, delivery),
      ),
    );
    expect(responses).toEqual([
      { status: 400, text: 'no_matching_signature\n' },
      { status: 400, text: 'timestamp_too_old\n' },
      { status: 400, text: 'no_matching_signature\n' },
    ]);
    expect(receiver.output()).not.toContain('evt_1 ');
    expect((await post(receiver.url, genuine)).status).toBe(204);
    await expect.poll(receiver.output).toContain('company.created evt_1 {}');
  });
});
