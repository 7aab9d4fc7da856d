import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Makes a package of `@finhook/client` that installs outside of this repository: JavaScript and declarations (Node runs no
 * TypeScript below `node_modules`), and beside its own code what it imports from this repository. The tarball is put into
 * `dist`, or the folder that `--into` names, and its path is printed.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
const { values: options } = parseArgs({ options: { into: { type: 'string', default: join(root, 'dist') } } });
const target = resolve(options.into);
// Below the package, where the compiler finds the types that it depends on.
const stage = join(root, '.cache', `pack-${process.pid}`);

interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** What stands in a range of an installed package: its own version, and what is compatible with it. */
function rangeOf(dependency: string, dependent: string): string {
  return `^${readManifest(join(dependent, 'node_modules', dependency)).version}`;
}

function compile(source: string, entry: string, into: string): void {
  const config = join(stage, 'tsconfig.json');
  const compilerOptions = {
    rootDir: join(source, 'src'),
    outDir: into,
    // What Node 20 runs.
    target: 'es2023',
    noEmit: false,
    // `pnpm run typecheck` does that.
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
  };
  const files = [join(source, entry)];
  writeFileSync(config, JSON.stringify({ extends: join(repository, 'tsconfig.json'), compilerOptions, files }));
  execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
}

/** Compiles what one of the entries of a package needs, and writes the manifest that offers it. */
function addPackage(source: string, folder: string, path: '.' | './router', manifest: object): void {
  const { name, version, exports } = readManifest(source);
  const entry = exports[path] ?? '';
  compile(source, entry, join(folder, 'dist'));
  const compiled = `./dist/${relative('src', entry).replace(/\.ts$/, '')}`;
  const offered = { [path]: { types: `${compiled}.d.ts`, default: `${compiled}.js` } };
  const whole = { name, version, license: 'MIT', type: 'module', exports: offered, ...manifest };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
}

const contracts = join(repository, 'packages/contracts');
const signing = join(repository, 'packages/signing');
const api = join(repository, 'apps/api');
try {
  mkdirSync(stage, { recursive: true });
  // Found by Node, TypeScript and bundlers before anything else, and by no package manager, which would ask a registry.
  const inside = join(stage, 'dist/node_modules/@finhook');
  addPackage(contracts, join(inside, 'contracts'), '.', {});
  addPackage(signing, join(inside, 'signing'), '.', {});
  addPackage(api, join(inside, 'api'), './router', {});
  addPackage(root, stage, '.', {
    engines: { node: '>=20' },
    files: ['dist'],
    sideEffects: false,
    dependencies: {
      '@trpc/client': rangeOf('@trpc/client', root),
      '@trpc/server': rangeOf('@trpc/server', api),
      zod: rangeOf('zod', contracts),
    },
  });
  mkdirSync(target, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: stage,
    encoding: 'utf8',
  });
  process.stdout.write(`${join(target, basename(packed.trim()))}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
