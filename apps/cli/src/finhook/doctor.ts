import { lookup } from 'node:dns/promises';
import { connect as connectTls } from 'node:tls';
import { Command } from 'commander';
import { isPortBlocked } from '../blocked-port.ts';
import { plain } from '../clean-text.ts';
import { reasonOf } from '../reason-of.ts';
import { type Check, databaseChecks, type Finding, failed, ok, queueCheck, warning } from './doctor-server.ts';
import { exitCodes, Failure } from './failure.ts';
import { createService, readMe, type Service, version } from './http-api.ts';
import { type Connection, chooseService } from './profiles.ts';
import type { Session } from './session.ts';

export function doctorCommand(session: Session): Command {
  const command = new Command('doctor')
    .summary('check the connection, the key and this machine')
    .description(
      'Checks address, DNS, TLS, health, versions, clock and key, and with DATABASE_URL and QUEUE_URL the database and the queue.',
    )
    .option('--profile <name>', 'check this login instead of the current one');
  return command.action(() => examine(command.opts(), session));
}

async function examine({ profile }: { profile?: string }, session: Session): Promise<void> {
  const { env, output, signal } = session;
  const connection = chooseService(env, profile);
  const service = createService(connection, signal);
  const checks = [
    ...addressChecks(connection),
    ...serviceChecks(service),
    ...(env.databaseUrl === undefined ? [] : databaseChecks(env)),
    ...(env.queueUrl === undefined ? [] : [queueCheck(env.queueUrl)]),
  ];
  output.say(`${connection.url}, with the key of ${connection.source}`);
  let [failures, unreachable] = [0, false];
  for (const { name, run } of checks) {
    const { result, text } = await run().catch((error: unknown) => {
      signal.throwIfAborted();
      unreachable ||= error instanceof Failure && error.exitCode === exitCodes.unreachable;
      return failed(reasonOf(error));
    });
    if (result === 'failed') failures++;
    const colour = { ok: 'green', warning: 'yellow', failed: 'red' } as const;
    output.printPainted(colour[result], result.padEnd(7), `  ${name.padEnd(8)}  ${text}`);
  }
  if (failures > 0)
    throw new Failure(
      `${failures} of ${checks.length} checks failed.`,
      unreachable ? exitCodes.unreachable : exitCodes.failed,
    );
}

function addressChecks({ url }: Connection): Check[] {
  const { hostname, protocol, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const dns = async (): Promise<Finding> => {
    const found = await lookup(host, { all: true });
    return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
  };
  const isLocal = /^(localhost|127\.|::1$)/.test(host);
  const tls = async (): Promise<Finding> => {
    if (protocol === 'https:') return ok(await certificateOf(host, Number(port || 443)));
    return isLocal ? ok('not used on this machine') : warning('http sends the key in clear text: use https');
  };
  const browser = async (): Promise<Finding> => {
    return (await isPortBlocked(url))
      ? failed(`browsers and Node block port ${port}: let the service listen on another one`)
      : ok(`browsers open port ${port || (protocol === 'https:' ? 443 : 80)}`);
  };
  return [
    { name: 'dns', run: dns },
    { name: 'port', run: browser },
    { name: 'tls', run: tls },
  ];
}

const DAY_MS = 86_400_000;

function certificateOf(host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connectTls({ host, port, servername: host, timeout: 10_000 }, () => {
    const { valid_to } = socket.getPeerCertificate();
    const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS);
    resolve(`${socket.getProtocol() ?? 'TLS'}, the certificate is valid for ${days} more days`);
    socket.end();
  });
  socket.once('timeout', () => socket.destroy(new Error('no response within 10 s')));
  socket.once('error', reject);
  return promise;
}

const SKEW_WARNING_S = 5;
/** Receivers reject older signatures. */
const SKEW_FAILURE_S = 300;

async function clockCheck(service: Service): Promise<Finding> {
  const date = (await service.get('/healthz')).headers.get('date');
  if (date === null) return warning('the service sends no Date header');
  // The header has whole seconds.
  const seconds = Math.round((Date.now() - Date.parse(date) - 500) / 1_000);
  const text = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(seconds) >= SKEW_FAILURE_S)
    return failed(`${text}: receivers here reject every signature. Set the clock`);
  return Math.abs(seconds) > SKEW_WARNING_S ? warning(text) : ok(text);
}

async function keyCheck(service: Service): Promise<Finding> {
  const me = await readMe(service);
  if (!me) return ok('valid, of scope ingest: it may only post financial data');
  const { account, api_key } = me;
  const { scope, permissions, company_ids, expires_at } = api_key;
  const limits = [
    `scope ${scope}`,
    permissions && `permissions ${permissions.join(' ')}`,
    company_ids && `${company_ids.length} companies`,
    expires_at && `until ${expires_at}`,
  ].filter(Boolean);
  return ok(plain(`${api_key.name} of ${account.name} (${account.mode}): ${limits.join(', ')}`));
}

function serviceChecks(service: Service): Check[] {
  const health = async (): Promise<Finding> => {
    const response = await service.get('/healthz');
    if (!response.ok) return failed(`/healthz returned ${response.status}`);
    const { version: running } = asHealth(await response.json());
    return running === version
      ? ok(`version ${version}`)
      : warning(`the service is ${running ?? 'of no version'}, this is ${version}`);
  };
  const ready = async (): Promise<Finding> => {
    const response = await service.get('/readyz');
    if (response.status === 404) {
      const { code } = asProblem(await response.json().catch(() => ({})));
      if (code !== 'not_found') return failed('/readyz returned 404, which is not the response of finhook');
      return warning(
        'not checked: a proxy is in front. Ask an api itself (/readyz), or set DATABASE_URL and QUEUE_URL',
      );
    }
    const text = await response.text();
    return response.ok ? ok('database and queue take writes') : failed(text);
  };
  return [
    { name: 'health', run: health },
    { name: 'ready', run: ready },
    { name: 'clock', run: () => clockCheck(service) },
    { name: 'key', run: () => keyCheck(service) },
  ];
}

function asProblem(json: unknown): { code?: string } {
  return json as { code?: string };
}

function asHealth(json: unknown): { version?: string } {
  return json as { version?: string };
}
