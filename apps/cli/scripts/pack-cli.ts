import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type OutputChunk, rolldown } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

/**
 * Packs the command line as `finhook`: bundled JavaScript without dependencies and without the server's code. Writes
 * the tarball to `dist`, or to the folder of `--into`, and prints its path.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
const { values: options } = parseArgs({ options: { into: { type: 'string', default: join(root, 'dist') } } });
const target = resolve(options.into);
const stage = join(root, '.cache', `pack-${process.pid}`);

/** Functions that Node 20 lacks. */
const banner = `#!/usr/bin/env node
URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
`;

/** Bundled separately: a shared chunk could start the worker in the program. */
const entries = ['main', 'bank-file.worker'];

async function bundle(entry: string): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    input: join(root, `src/finhook/${entry}.ts`),
    platform: 'node',
    // Only some commands import them: see loadServer.
    external: /^@finhook\/(api|core|delivery|embedded|queue|runtime|worker)/,
    treeshake: { moduleSideEffects: false },
    transform: { target: 'node20' },
  });
  const { output } = await build.write({
    dir: join(stage, 'dist'),
    format: 'esm',
    minify: true,
    banner: ({ isEntry }) => (isEntry ? banner : ''),
  });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}

function writeFiles(): void {
  chmodSync(join(stage, 'dist/main.js'), 0o755);
  cpSync(join(root, 'src/finhook/table.gen.json'), join(stage, 'dist/table.gen.json'));
}

/** The licences of the bundled packages require their texts. */
function writeTexts(chunks: readonly OutputChunk[]): void {
  const folders = chunks.flatMap(({ modules }) =>
    Object.keys(modules).flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  );
  const licences = [...new Set(folders)].toSorted().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${folder} has no licence.`);
    const name = folder.split('/node_modules/').at(-1) ?? '';
    return `This package contains parts of ${name}:\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  const own = readFileSync(join(repository, 'LICENSE'), 'utf8');
  writeFileSync(join(stage, 'LICENSE'), [own, ...licences].join('\n---\n\n'));
  cpSync(join(root, 'README.md'), join(stage, 'README.md'));
  cpSync(join(repository, 'CHANGELOG.md'), join(stage, 'CHANGELOG.md'));
}

function writeManifest(): void {
  const packed = {
    name: 'finhook',
    version: manifest.version,
    description: 'The command line of finhook: its API, bank files and webhooks',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    bin: { finhook: 'dist/main.js' },
    files: ['dist', 'CHANGELOG.md'],
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

try {
  mkdirSync(stage, { recursive: true });
  writeTexts((await Promise.all(entries.map(bundle))).flat());
  writeFiles();
  writeManifest();
  mkdirSync(target, { recursive: true });
  const packing = { cwd: stage, encoding: 'utf8' } as const;
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], packing);
  process.stdout.write(`${join(target, basename(packed.trim()))}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
