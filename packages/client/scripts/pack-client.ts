import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Packs `@finhook/client` for applications outside of this repository: JavaScript and declarations (Node runs no
 * TypeScript below `node_modules`) of the client and of the packages that it imports. Writes the tarball to `dist`, or to
 * the folder of `--into`, and prints its path.
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

function rangeOf(dependency: string, dependent: string): string {
  return `^${readManifest(join(dependent, 'node_modules', dependency)).version}`;
}

function compile(source: string, entry: string, into: string): void {
  const config = join(stage, 'tsconfig.json');
  const compilerOptions = {
    rootDir: join(source, 'src'),
    outDir: into,
    // Node 20.
    target: 'es2023',
    noEmit: false,
    // `pnpm run typecheck` does that.
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
  };
  const files = [join(source, entry)];
  writeFileSync(
    config,
    JSON.stringify({ extends: join(repository, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
}

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
  // Node, TypeScript and bundlers resolve these first; package managers, which would ask a registry, don't see them.
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
