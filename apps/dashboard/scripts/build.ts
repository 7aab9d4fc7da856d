import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { replaceFolder } from './replace-folder.ts';
import { writeReferenceScript } from './write-reference-script.ts';

/**
 * Builds the dashboard and the page where requests are tried into `dist`, with compressed copies of text files.
 * `--if-changed` skips an unchanged build, `--into` sets the folder. The result is renamed into place, so no request sees
 * half of it.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
const { values: options } = parseArgs({
  options: { 'if-changed': { type: 'boolean', default: false }, into: { type: 'string', default: join(root, 'dist') } },
});
const dist = options.into;
const drafts = join(dist, '../.cache');
const STAMP = '.stamp';
const DRAFT_AGE_MS = 3_600_000;

const sources = ['src', 'public', 'scripts', 'index.html', 'vite.config.ts', 'package.json', 'tsconfig.json'];
const inputs = [
  ...sources.map((path) => join(root, path)),
  join(repository, 'packages/bank-files/src'),
  join(repository, 'packages/contracts/src'),
  join(repository, 'pnpm-lock.yaml'),
];

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesIn)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(`${relative(repository, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function stampOfBuild(): string | undefined {
  try {
    return readFileSync(join(dist, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

const [toGzip, toBrotli] = [promisify(gzip), promisify(brotliCompress)];
const LEVELS = { gzip: { level: 9 }, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } } };

async function compress(folder: string): Promise<void> {
  const texts = filesIn(folder).filter((file) => /\.(js|css|html|svg|json|webmanifest|txt)$/.test(file));
  await Promise.all(
    texts.map(async (file) => {
      const text = readFileSync(file);
      if (text.length < 1_024) return;
      const [gz, br] = await Promise.all([toGzip(text, LEVELS.gzip), toBrotli(text, LEVELS.brotli)]);
      writeFileSync(`${file}.gz`, gz);
      writeFileSync(`${file}.br`, br);
    }),
  );
}

function removeOldDrafts(): void {
  for (const name of readdirSync(drafts)) {
    const path = join(drafts, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (made < Date.now() - DRAFT_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function buildDashboard(stamp: string): Promise<void> {
  mkdirSync(drafts, { recursive: true });
  removeOldDrafts();
  const draft = join(drafts, `build-${randomUUID()}`);
  try {
    // Always a production build, regardless of the shell's environment.
    // oxlint-disable-next-line node/no-process-env -- bundlers and React read this variable
    process.env['NODE_ENV'] = 'production';
    const { build } = await import('vite');
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: draft, emptyOutDir: true },
    });
    await writeReferenceScript(join(draft, 'try'));
    await compress(draft);
    writeFileSync(join(draft, STAMP), stamp);
    replaceFolder(dist, draft, drafts);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const stamp = stampOfSources();
if (options['if-changed'] && stampOfBuild() === stamp) process.exit();
await buildDashboard(stamp);
process.stdout.write(`The dashboard is built (${Math.round(performance.now())} ms).\n`);
