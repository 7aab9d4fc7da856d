import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { writeReferenceScript } from './write-reference-script.ts';

/**
 * Builds the dashboard, and the page of the API reference in `docs`, into `dist`, with a compressed copy beside each text.
 * `--if-changed` leaves a build of these very sources as it is; `--into` names another folder. A build is made beside it
 * and moved, so that nobody is served half of one.
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

/** A hash of everything that the build is made of. */
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
/** Better ones take seconds for a percent. */
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

/** Puts the draft in the place of the build. Whoever does so at the same time may come first or last. */
function putInPlace(draft: string): void {
  for (let tries = 5; ; tries--) {
    const old = join(drafts, `old-${randomUUID()}`);
    try {
      renameSync(dist, old);
    } catch {
      // There is none, or somebody else moves it at this moment.
    }
    try {
      renameSync(draft, dist);
      return;
    } catch (error) {
      if (tries === 0) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** Removes what builds left that were killed. */
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
    // Whatever the shell that builds it is for.
    // oxlint-disable-next-line node/no-process-env -- this is how bundlers are told, and what React looks at
    process.env['NODE_ENV'] = 'production';
    const { build } = await import('vite');
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: draft, emptyOutDir: true },
    });
    await writeReferenceScript(join(draft, 'docs'));
    await compress(draft);
    writeFileSync(join(draft, STAMP), stamp);
    putInPlace(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const stamp = stampOfSources();
if (options['if-changed'] && stampOfBuild() === stamp) process.exit();
await buildDashboard(stamp);
process.stdout.write(`The dashboard is built (${Math.round(performance.now())} ms).\n`);
