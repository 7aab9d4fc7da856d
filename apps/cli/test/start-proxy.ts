import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, spawnSupervised } from '@finhook/embedded';
import { makeCertificate } from '@finhook/testing';

export interface ProxyServer {
  /** With https, at `localhost`. */
  readonly url: string;
  /** Where it redirects to `url`. */
  readonly plainUrl: string;
  /** The certificate, which is its own authority. */
  readonly ca: string;
  close(): Promise<void>;
}

/** What a file of `deploy/` is changed in: the addresses, the name, the certificate and the ports. */
interface Site {
  readonly upstreams: readonly string[];
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** Further changes of the file. */
  readonly changes: Changes;
}

type Changes = readonly (readonly [from: string, to: string])[];

interface ProxyProgram {
  readonly binary: string;
  readonly readyText: string;
  /** Writes the configuration and returns the arguments. */
  readonly configure: (site: Site) => string[];
}

/** Replaces each text, which has to be there. */
function replace(file: string, changes: Changes): string {
  const text = readFileSync(fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url)), 'utf8');
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/${file} has no "${from}".`);
    return changed.replaceAll(from, to);
  }, text);
}

const nginx: ProxyProgram = {
  binary: 'nginx',
  readyText: 'start worker processes',
  configure: (site) => {
    const conf = replace('nginx/finhook.conf', [
      ...site.upstreams.map((upstream, index) => [`10.0.0.1${index + 1}:3000`, upstream] as const),
      ['finhook.example.com', 'localhost'],
      ['/etc/finhook/tls', site.folder],
      // A machine may be without IPv6.
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
      `daemon off; user ${userInfo().username}; pid nginx.pid; error_log stderr notice; events {}
       http { access_log off; ${temporary.join(' ')} include finhook.conf; }`,
    );
    return ['-p', site.folder, '-e', 'stderr', '-c', main];
  },
};

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

const programs = { nginx, caddy };
export type ProxyName = keyof typeof programs;

/** Debian installs nginx where users have no search path. */
function pathOf(binary: string): string | undefined {
  const folders = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin'];
  return folders.map((folder) => join(folder, binary)).find((path) => existsSync(path));
}

/** Those that this machine has. Warns of what is left out. */
export function installedProxies(): readonly ProxyName[] {
  return (['nginx', 'caddy'] as const).filter((name) => {
    if (pathOf(programs[name].binary) !== undefined) return true;
    console.warn(`\n  !! ${name} is not installed: nothing is tested behind it. !!\n`);
    return false;
  });
}

/** Starts it with the file of `deploy/` in front of two apis, given as `host:port`. */
export async function startProxy(
  name: ProxyName,
  upstreams: readonly string[],
  changes: Changes = [],
): Promise<ProxyServer> {
  const { binary, readyText, configure } = programs[name];
  const folder = mkdtempSync(join(tmpdir(), `finhook-${name}-`));
  const { cert, key } = makeCertificate();
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  const site = { upstreams, changes, folder, port: await freePort(), plainPort: await freePort() };
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
      rmSync(folder, { recursive: true });
    },
  };
}
