import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ModuleFormat, rolldown } from 'rolldown';
import { generateContracts, generateSamples } from './generate-contracts.ts';

/**
 * Packs `@finhook/client` as ES modules and CommonJS, without dependencies. Writes the tarball to `dist`, or to the folder
 * of `--into`, and prints its path.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
const { values: options } = parseArgs({ options: { into: { type: 'string', default: join(root, 'dist') } } });
const target = resolve(options.into);
// Below the package, where the compiler and the bundler find its imports.
const stage = join(root, '.cache', `pack-${process.pid}`);
const entries = ['index', 'testing'];

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

function writeSources(): void {
  cpSync(join(root, 'src'), join(stage, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  writeFileSync(join(stage, 'src/contracts.ts'), generateContracts());
  writeFileSync(join(stage, 'src/samples.ts'), generateSamples());
}

function writeDeclarations(): void {
  const compilerOptions = {
    rootDir: 'src',
    outDir: 'types',
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
  };
  const files = entries.map((entry) => `src/${entry}.ts`);
  const config = { extends: join(repository, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', stage], { stdio: 'inherit' });
  for (const name of readdirSync(join(stage, 'types'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(stage, 'types', name);
    // The compiler rewrites these in JavaScript only.
    writeFileSync(path, read(path).replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** A manifest per folder sets the format, so that both have the same file names. */
async function bundle(format: ModuleFormat, folder: string, type: 'module' | 'commonjs'): Promise<void> {
  const dir = join(stage, 'dist', folder);
  for (const entry of entries) {
    const build = await rolldown({
      input: join(stage, `src/${entry}.ts`),
      platform: 'neutral',
      // Only signing imports it, which tree shaking removes if modules have no side effects.
      external: 'node:crypto',
      treeshake: { moduleSideEffects: false },
      transform: { target: 'es2022' },
    });
    await build.write({ file: join(dir, `${entry}.js`), format });
    await build.close();
  }
  cpSync(join(stage, 'types'), dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ type }));
}

const filesOf = (folder: string, entry: string) => ({
  types: `./dist/${folder}/${entry}.d.ts`,
  default: `./dist/${folder}/${entry}.js`,
});

function asTexts(manifest: unknown): Record<string, string> {
  return manifest as Record<string, string>;
}

function writeManifest(): void {
  const { name, version, description } = asTexts(JSON.parse(read(root, 'package.json')));
  const exported: Record<string, object | string> = { './package.json': './package.json' };
  for (const entry of entries) {
    const path = entry === 'index' ? '.' : `./${entry}`;
    exported[path] = { import: filesOf('esm', entry), require: filesOf('cjs', entry) };
  }
  const manifest = {
    name,
    version,
    description,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: false,
    files: ['dist', 'CHANGELOG.md'],
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    // For `moduleResolution: node10`, which ignores `exports`.
    typesVersions: { '*': { testing: ['./dist/cjs/testing.d.ts'] } },
    exports: exported,
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The bundle contains parts of tRPC, whose licence requires its text. */
function writeTexts(): void {
  const trpc = read(root, 'node_modules/@trpc/client/LICENSE');
  writeFileSync(
    join(stage, 'LICENSE'),
    `${read(repository, 'LICENSE')}\n---\n\nThis package contains parts of @trpc/client and @trpc/server:\n\n${trpc}`,
  );
  cpSync(join(root, 'README.md'), join(stage, 'README.md'));
  cpSync(join(repository, 'CHANGELOG.md'), join(stage, 'CHANGELOG.md'));
}

try {
  mkdirSync(stage, { recursive: true });
  writeSources();
  writeDeclarations();
  await bundle('esm', 'esm', 'module');
  await bundle('cjs', 'cjs', 'commonjs');
  writeManifest();
  writeTexts();
  mkdirSync(target, { recursive: true });
  const packing = { cwd: stage, encoding: 'utf8' } as const;
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], packing);
  process.stdout.write(`${join(target, basename(packed.trim()))}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
