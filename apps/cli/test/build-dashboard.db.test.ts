// Risk: a start waits forever for the dashboard, fails because of it, or two starts corrupt each other's build.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../src/build-dashboard.ts';

const run = promisify(execFile);
const scripts = new URL('../../dashboard/scripts/', import.meta.url);
const build = fileURLToPath(new URL('build.ts', scripts));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'finhook-build-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(text: string): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.ts`);
  writeFileSync(path, text);
  return path;
}

test('a failed build resolves with its reason and the command, and a good one with nothing', async () => {
  const failed = await buildDashboard({
    script: script('console.error("No such module: left-pad"); process.exit(1);'),
  });
  expect(failed).toContain('  No such module: left-pad');
  expect(failed).toContain('npx -y pnpm@12.21.0 --filter @finhook/dashboard run build');
  expect(await buildDashboard({ script: script('if (!process.argv.includes("--if-changed")) process.exit(1);') })).toBe(
    undefined,
  );
});

test('a build that hangs is given up', async () => {
  const message = await buildDashboard({ script: script('setInterval(() => undefined, 1000);'), timeoutMs: 50 });
  expect(message).toContain('did not end within 0.05 s');
});

test('replacing the folder at the same time leaves one that is whole', async () => {
  const [place, drafts] = [join(folder, 'shared'), join(folder, 'shared-drafts')];
  mkdirSync(drafts);
  const program = script(`
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { replaceFolder } from ${JSON.stringify(fileURLToPath(new URL('replace-folder.ts', scripts)))};
    const [id, place, drafts] = process.argv.slice(2);
    for (let build = 0; build < 100; build += 1) {
      const draft = drafts + '/' + id;
      mkdirSync(draft);
      for (const file of ['one', 'two']) writeFileSync(draft + '/' + file, id + ' ' + build);
      replaceFolder(place, draft, drafts);
    }
  `);
  await Promise.all(['a', 'b', 'c'].map((id) => run(process.execPath, [program, id, place, drafts])));
  expect(readdirSync(place)).toEqual(['one', 'two']);
  expect(readFileSync(join(place, 'one'), 'utf8')).toBe(readFileSync(join(place, 'two'), 'utf8'));
  expect(readdirSync(drafts)).toEqual([]);
});

test('a build has compressed copies and nothing inline, leaves the young drafts of others, and is not repeated in vain', async () => {
  const [into, drafts] = [join(folder, 'place/dist'), join(folder, 'place/.cache')];
  for (const name of ['young', 'old']) mkdirSync(join(drafts, name), { recursive: true });
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  utimesSync(join(drafts, 'old'), twoHoursAgo, twoHoursAgo);
  await run(process.execPath, [build, '--into', into]);
  const page = readFileSync(join(into, 'index.html'), 'utf8');
  const named = [...page.matchAll(/\/dashboard\/(assets\/[\w.-]+)/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(1);
  for (const name of named) {
    const bytes = readFileSync(join(into, name));
    // A font is compressed in its own format.
    if (bytes.length < 1_024 || name.endsWith('.woff2')) continue;
    expect(gunzipSync(readFileSync(join(into, `${name}.gz`)))).toEqual(bytes);
    expect(brotliDecompressSync(readFileSync(join(into, `${name}.br`)))).toEqual(bytes);
  }
  // The content security policy allows nothing inline.
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=/);
  expect(readdirSync(drafts)).toEqual(['young']);
  const { stdout } = await run(process.execPath, [build, '--if-changed', '--into', into]);
  expect(stdout).toBe('');
}, 60_000);
