// Risk: the chart or a unit has an unknown command, variable or field, or a process has more rights than it needs.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiEnv } from '@finhook/api';
import { combinedEnv } from '@finhook/combined';
import { workerEnvSchema } from '@finhook/worker';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { routerConf } from './router-conf.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const chart = join(repository, 'deploy/helm');
const units = join(repository, 'deploy/systemd');
const folder = mkdtempSync(join(tmpdir(), 'finhook-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

function isInstalled(command: string): boolean {
  if (spawnSync(command, ['--help']).error === undefined) return true;
  console.warn(`\n  !! ${command} is not installed: what needs it is NOT tested. !!\n`);
  return false;
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

const everything = ['api.autoscaling', 'worker.autoscaling', 'ingress', 'serviceMonitor'].map(
  (part) => `${part}.enabled=true`,
);
const addressOf = (name: string) => ({ name, address: `finhook-${name}-pods.finhook.svc.cluster.local:3000` });
const routed = [
  'router.enabled=true',
  ...['eu', 'us'].flatMap((name, index) =>
    Object.entries(addressOf(name)).map(([field, value]) => `router.cells[${index}].${field}=${value}`),
  ),
];
const required = ['existingSecret=finhook-env', 'image.repository=registry.example.com/finhook'];
const flags = (settings: readonly string[]) => settings.flatMap((setting) => ['--set', setting]);

const container = z.object({
  command: z.array(z.string()),
  env: z.array(z.object({ name: z.string() })),
  securityContext: z.object({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});
const pod = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    containers: z.tuple([container]),
    securityContext: z.object({ runAsNonRoot: z.literal(true) }),
    automountServiceAccountToken: z.literal(false),
  }),
});
const ingress = z.object({
  spec: z.object({
    rules: z.tuple([
      z.object({ http: z.object({ paths: z.array(z.object({ path: z.string(), pathType: z.string() })) }) }),
    ]),
  }),
});
const configuration = z.object({ kind: z.literal('ConfigMap'), data: z.record(z.string(), z.string()) });
const workload = z.object({ spec: z.object({ template: pod }) });

describe.runIf(isInstalled('helm'))('the chart', () => {
  const render = (settings: readonly string[]) => {
    const args = ['template', 'finhook', chart, '--kube-version', '1.33.0', ...flags([...required, ...settings])];
    const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout;
  };

  test('passes the lint, and demands the names of the secret and the image', () => {
    run('helm', ['lint', '--strict', chart, ...flags(required)]);
    const missing = spawnSync('helm', ['template', chart, '--kube-version', '1.33.0'], { encoding: 'utf8' });
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringMatching(/Set (existingSecret|image)/)]);
  });

  test.each([
    ['as it is', []],
    ['with everything on', everything],
  ])('%s gives each process existing commands, its own variables and no privileges', (_, settings) => {
    const documents = parseAllDocuments(render(settings)).map((document): unknown => document.toJS());
    const pods = documents.flatMap((document) => workload.safeParse(document).data?.spec.template ?? []);
    const roles = pods.map(({ metadata, spec }) => [
      metadata.labels['app.kubernetes.io/component'],
      spec.containers[0],
    ]);
    const { api, worker, migrate } = z.record(z.string(), container).parse(Object.fromEntries(roles));
    const reads = (schema: z.ZodObject) => [...Object.keys(schema.shape), 'NODE_OPTIONS'];
    for (const [role, variables] of [
      [api, reads(apiEnv)],
      [worker, reads(workerEnvSchema)],
      [migrate, ['DATABASE_URL', 'SECRETS_KEY']],
    ] as const) {
      expect(existsSync(join(repository, role?.command[1] ?? ''))).toBe(true);
      expect(variables).toEqual(expect.arrayContaining(role?.env.map(({ name }) => name) ?? []));
    }
  });

  test('one process for both has the variables of both, and no deployment of a worker', () => {
    const documents = parseAllDocuments(render(['combined=true'])).map((document): unknown => document.toJS());
    const pods = documents.flatMap((document) => workload.safeParse(document).data?.spec.template ?? []);
    const running = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] !== 'migrate');
    expect(running.map(({ metadata }) => metadata.labels['app.kubernetes.io/component'])).toEqual(['api']);
    const [both] = running.map(({ spec }) => spec.containers[0]);
    expect(both?.command).toEqual(['node', 'apps/combined/src/main.ts']);
    const given = both?.env.map(({ name }) => name) ?? [];
    expect([...Object.keys(combinedEnv.shape), 'NODE_OPTIONS']).toEqual(expect.arrayContaining(given));
    expect(given).toEqual(expect.arrayContaining(['TRUSTED_PROXIES', 'NODE_OPTIONS', 'OPS_PASSWORD']));
  });

  test('the ingress routes every page and protocol, and the console only if enabled', () => {
    const routing = (settings: readonly string[]) => {
      const rules = parseAllDocuments(render(['ingress.enabled=true', ...settings])).flatMap(
        (document) => ingress.safeParse(document.toJS()).data?.spec.rules[0].http.paths ?? [],
      );
      return (path: string) =>
        rules.some((rule) => (rule.pathType === 'Exact' ? path === rule.path : `${path}/`.startsWith(`${rule.path}/`)));
    };
    const isRouted = routing([]);
    const open = ['/', '/api/v1/me', '/trpc/me.get', '/mcp', '/dashboard', '/docs/errors', '/llms.txt', '/healthz'];
    expect(open.filter((path) => !isRouted(path))).toEqual([]);
    expect(['/ops', '/ops/queues', '/readyz'].filter(isRouted)).toEqual([]);
    expect(['/ops', '/ops/queues'].filter(routing(['ingress.ops=true']))).toHaveLength(2);
  });

  test('a named cell is a variable of both roles, and no variable of an installation without one', () => {
    const cells = (settings: readonly string[]) => render(settings).match(/name: CELL\n +value: .*/g) ?? [];
    expect(cells([])).toEqual([]);
    expect(cells(['cell=eu']).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual(
      Array(2).fill('name: CELL value: "eu"'),
    );
  });

  test('the router has the configuration that the test of the cells runs, and the ingress leads to it', () => {
    const documents = parseAllDocuments(render([...routed, 'ingress.enabled=true'])).map((document): unknown =>
      document.toJS(),
    );
    const [conf] = documents.flatMap((document) => configuration.safeParse(document).data?.data['nginx.conf'] ?? []);
    const resolver = 'kube-dns.kube-system.svc.cluster.local';
    const filled = routerConf({ cells: [addressOf('eu'), addressOf('us')], resolver, port: 8080 });
    expect(conf?.trimEnd()).toBe(filled.trimEnd());
    expect(conf).not.toMatch(/%\w+%/);
    const backends = JSON.stringify(documents).match(/"backend":\{"service":\{"name":"[^"]+"/g) ?? [];
    expect([...new Set(backends)]).toEqual(['"backend":{"service":{"name":"finhook-router"']);
    expect(JSON.stringify(documents)).toContain('"name":"finhook-pods"');
  });

  test.each(['router.cells[0].name=EU', 'router.cells[1].address=us.example.com', 'router.cells[0].address=a:1;b'])(
    'a router with %s is rejected',
    (wrong) => {
      const args = ['template', chart, '--kube-version', '1.33.0', ...flags([...required, ...routed, wrong])];
      const { status, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
      expect([status, stderr]).toEqual([1, expect.stringContaining('is no cell')]);
    },
  );

  test('the pods of a role are spread over nodes and zones, unless the values say otherwise', () => {
    expect(render([]).match(/whenUnsatisfiable: ScheduleAnyway/g)).toHaveLength(4);
    const own = 'topologySpreadConstraints[0].topologyKey=rack';
    const changed = render([`api.${own}`]);
    expect(changed.match(/whenUnsatisfiable: ScheduleAnyway/g)).toHaveLength(2);
    expect(changed.match(/topologyKey: rack/g)).toHaveLength(1);
  });

  test.runIf(isInstalled('kubernetes-validate'))('its objects are valid by the schemas of Kubernetes', () => {
    const file = join(folder, 'rendered.yaml');
    writeFileSync(file, render([...everything, ...routed]));
    const output = run('kubernetes-validate', ['--strict', file]);
    expect(output.match(/ passed for resource /g)?.length).toBeGreaterThanOrEqual(14);
    // The Prometheus operator's kind has no schema there.
    expect(output.match(/^WARN .*$/gm)).toEqual([expect.stringContaining('ServiceMonitor')]);
  });
});

test.runIf(isInstalled('promtool'))('each alert fires when it should, and only then', () => {
  const files = globSync(join(repository, 'ops/prometheus/*.test.yml'));
  expect(run('promtool', ['test', 'rules', ...files]).match(/SUCCESS/g)).toHaveLength(2);
});

describe.runIf(isInstalled('systemd-analyze'))('the systemd units', () => {
  test.each(['finhook-api.service', 'finhook-worker.service', 'finhook-combined.service'])(
    '%s is valid, runs an existing program and is exposed little',
    (name) => {
      cpSync(units, folder, { recursive: true });
      const unit = join(folder, name);
      const text = readFileSync(unit, 'utf8');
      const [, program = ''] = /^ExecStart=\S+ (\S+)/m.exec(text) ?? [];
      expect(existsSync(join(repository, program)), program).toBe(true);
      // The unit's own Node exists only where finhook is installed.
      writeFileSync(unit, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
      run('systemd-analyze', ['verify', unit]);
      // With the common part, without which the exposure is 96.
      run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
    },
  );
});
