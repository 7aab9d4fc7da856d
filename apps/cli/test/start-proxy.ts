import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { freePort, spawnSupervised } from '@finhook/embedded';
import { makeCertificate, startDnsServer } from '@finhook/testing';
import { routerConf } from './router-conf.ts';

export interface ProxyServer {
  /** With https, at `localhost`. */
  readonly url: string;
  /** Redirects to `url`. */
  readonly plainUrl: string;
  /** Self-signed. */
  readonly ca: string;
  close(): Promise<void>;
}

/** Replacements in a file of `deploy/`: addresses, name, certificate and ports. */
interface Site {
  readonly upstreams: readonly string[];
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** A name server for `eu.cells.test` and `us.cells.test`. */
  readonly resolver: string;
  /** Further replacements. */
  readonly changes: readonly Change[];
}

interface ProxyProgram {
  readonly binary: string;
  readonly readyText: string;
  /** Writes the configuration and returns the arguments. */
  readonly configure: (site: Site) => string[];
}

type Change = readonly [from: string, to: string];

/** Each text must occur. */
function replace(file: string, changes: readonly Change[]): string {
  const text = readFileSync(fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url)), 'utf8');
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/${file} has no "${from}".`);
    return changed.replaceAll(from, to);
  }, text);
}

const nginxWith = (file: string, addresses: readonly string[], changes: readonly Change[] = []): ProxyProgram => ({
  binary: 'nginx',
  readyText: 'start worker processes',
  configure: (site) => {
    const conf = replace(file, [
      ...changes,
      ...addresses.map((address, index) => [address, site.upstreams[index] ?? ''] as const),
      ['finhook.example.com', 'localhost'],
      ['/etc/finhook/tls', site.folder],
      // The machine may lack IPv6.
      ['    listen [::]:80;\n', ''],
      ['    listen [::]:443 ssl http2;\n', ''],
      ['listen 80;', `listen ${site.plainPort};`],
      ['listen 443 ', `listen ${site.port} `],
      ...site.changes,
    ]);
    writeFileSync(join(site.folder, 'finhook.conf'), conf);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
    const main = join(site.folder, 'nginx.conf');
    writeFileSync(
      main,
      `daemon off; user ${userInfo().username}; pid nginx.pid; error_log stderr notice; events { worker_connections 4096; }
       http { access_log off; ${temporary.join(' ')} include finhook.conf; }`,
    );
    return ['-p', site.folder, '-e', 'stderr', '-c', main];
  },
});

const caddy: ProxyProgram = {
  binary: 'caddy',
  readyText: 'serving initial configuration',
  configure: (site) => {
    const certificate = `tls ${join(site.folder, 'cert.pem')} ${join(site.folder, 'key.pem')}`;
    const text = replace('caddy/Caddyfile', [
      ['10.0.0.11:3000 10.0.0.12:3000', site.upstreams.join(' ')],
      ['finhook.example.com {', `localhost {\n\t${certificate}`],
      ...site.changes,
    ]);
    const file = join(site.folder, 'Caddyfile');
    const options = ['admin off', `http_port ${site.plainPort}`, `https_port ${site.port}`];
    writeFileSync(file, `{\n${options.join('\n')}\nstorage file_system ${site.folder}\n}\n${text}`);
    return ['run', '--adapter', 'caddyfile', '--config', file];
  },
};

const haproxy: ProxyProgram = {
  binary: 'haproxy',
  readyText: 'Loading success',
  configure: (site) => {
    const text = replace('haproxy/cells.cfg', [
      ...cellAddresses.map((address, index) => [address, site.upstreams[index] ?? ''] as const),
      ['finhook.example.com', 'localhost'],
      ['/etc/finhook/tls', site.folder],
      ['bind :80', `bind 127.0.0.1:${site.plainPort}`],
      ['bind :443', `bind 127.0.0.1:${site.port}`],
      // It waits a second before each retry.
      ['retries 3', 'retries 1'],
    ]);
    const pem = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(site.folder, name), 'utf8')).join('');
    writeFileSync(join(site.folder, 'haproxy.pem'), pem);
    const file = join(site.folder, 'haproxy.cfg');
    writeFileSync(file, text);
    return ['-W', '-db', '-f', file];
  },
};

/** The chart's router behind an ingress, which is a TLS server in the same nginx. */
const router: ProxyProgram = {
  binary: 'nginx',
  readyText: 'start worker processes',
  configure: (site) => {
    const cells = ['eu', 'us'].map((name, index) => {
      const { port } = new URL(`http://${site.upstreams[index] ?? ''}`);
      return { name, address: `${name}.cells.test:${port}` };
    });
    const text = routerConf({ cells, resolver: site.resolver, port: site.plainPort });
    const main = join(site.folder, 'nginx.conf');
    writeFileSync(main, text.replace('\nhttp {\n', '\nhttp {\n    include ingress.conf;\n'));
    const forwarded = ['For $remote_addr', 'Proto $scheme', 'Host $http_host'].map(
      (header) => `proxy_set_header X-Forwarded-${header};`,
    );
    writeFileSync(
      join(site.folder, 'ingress.conf'),
      `server {
         listen ${site.port} ssl http2;
         ssl_certificate ${join(site.folder, 'cert.pem')};
         ssl_certificate_key ${join(site.folder, 'key.pem')};
         client_max_body_size 8m;
         location / {
           proxy_http_version 1.1;
           proxy_buffering off;
           proxy_set_header Host $http_host;
           ${forwarded.join('\n')}
           proxy_pass http://127.0.0.1:${site.plainPort};
         }
       }`,
    );
    const user = `daemon off; user ${userInfo().username}; error_log stderr notice;`;
    return ['-p', site.folder, '-e', 'stderr', '-c', main, '-g', user];
  },
};

/** Of the cells eu and us, with one api each. */
const cellAddresses = ['10.0.0.11:3000', '10.0.0.21:3000'];
const programs = {
  nginx: nginxWith('nginx/finhook.conf', ['10.0.0.11:3000', '10.0.0.12:3000']),
  caddy,
  'nginx for cells': nginxWith('nginx/cells.conf', cellAddresses),
  // Knows the cell only by a 421.
  'nginx that lacks a cell': nginxWith('nginx/cells.conf', cellAddresses, [
    ['    us finhook_us;\n    default finhook_eu;', '    default finhook_eu;'],
  ]),
  'haproxy for cells': haproxy,
  'the router of the chart': router,
};
export type ProxyName = keyof typeof programs;

/** Debian installs nginx outside of the users' search path. */
function pathOf(binary: string): string | undefined {
  const folders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin'];
  return folders.map((folder) => join(folder, binary)).find((path) => existsSync(path));
}

/** Those of `names` that are installed. Warns of skipped ones. */
export function installedProxies<Name extends ProxyName>(names: readonly Name[]): readonly Name[] {
  return names.filter((name) => {
    const { binary } = programs[name];
    if (pathOf(binary) !== undefined) return true;
    console.warn(`\n  !! ${binary} is not installed: nothing is tested behind it. !!\n`);
    return false;
  });
}

const authorities = tls.getCACertificates('default');

/** Makes `fetch` accept only this proxy's certificate. */
export function trustProxy(proxy?: ProxyServer): void {
  tls.setDefaultCACertificates(proxy === undefined ? authorities : [...authorities, proxy.ca]);
}

/** Starts it with its file of `deploy/` in front of two apis, given as `host:port`. */
export async function startProxy(
  name: ProxyName,
  upstreams: readonly string[],
  changes: readonly Change[] = [],
): Promise<ProxyServer> {
  const { binary, readyText, configure } = programs[name];
  const folder = mkdtempSync(join(tmpdir(), `finhook-${binary}-`));
  const { cert, key } = makeCertificate();
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  // A Service for pods, of which the first has ended.
  const pods = { a: ['127.0.0.3', '127.0.0.1'] };
  const names = await startDnsServer({ 'eu.cells.test': pods, 'us.cells.test': pods });
  const resolver = names.address;
  const site = { upstreams, changes, folder, resolver, port: await freePort(), plainPort: await freePort() };
  const server = await spawnSupervised({
    binary: pathOf(binary) ?? binary,
    args: configure(site),
    cwd: folder,
    readyText,
  });
  return {
    url: `https://localhost:${site.port}`,
    plainUrl: `http://localhost:${site.plainPort}`,
    ca: cert,
    close: async () => {
      server.signal('SIGTERM');
      await server.exited;
      await names[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
