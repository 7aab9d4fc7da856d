// Prints figures of the code: sizes of files, comments, words to avoid, exports without a user. Sources are the TypeScript
// that git tracks, without tests, fixtures and bench.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
const read = (paths: readonly string[]): SourceFile[] =>
  paths.map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path, text, lines: text.replace(/\n$/, '').split('\n') };
  });
const isTest = (path: string) => /\.test\.tsx?$|\/test\/|^(?:packages\/testing|tools\/generators)\//.test(path);
const typescript = tracked.filter((path) => /\.tsx?$/.test(path));
const sources = read(typescript.filter((path) => !isTest(path) && !path.startsWith('bench/')));
const tests = read(typescript.filter(isTest));
const docs = read(
  tracked.filter((path) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(path) && !path.startsWith('docs/reference/')),
);

const isComment = (line: string) => /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(line);
const isCode = (line: string) =>
  line.trim() !== '' && !isComment(line) && !/^\s*(?:import|export)\b.*\bfrom\b/.test(line);

/** Private terms of this repository. CONTRIBUTING has the words to use instead. */
const avoided = [
  /^\s*(?:\/\/|\/?\*+)\s*(?:What|Who|Whether|How|Of|That)\b/,
  /\b(?:tell|tells|told|whoever|heirs?|lulls?|unfilled|gives? back|falls? silent|fallen silent)\b/i,
  /\b(?:by hand|under way|for good|at rest|a barrier|the house|without a word|is none|begins? anew)\b/i,
  /\b(?:refus(?:e[sd]?|al|als|ing)|faults? (?:of|is|are)|places? (?:of|in which)|stands? (?:in|for|on|beside))\b/i,
];
const isAvoided = (line: string) => avoided.some((pattern) => pattern.test(line));

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const count = (files: readonly SourceFile[], holds: (line: string) => boolean) =>
  sum(files.map(({ lines }) => lines.filter(holds).length));

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Names that a file exports, directly or by `export *`. */
function exportsOf(path: string): string[] {
  const text = sources.find((file) => file.path === path)?.text ?? '';
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const listed = lists
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    )
    .filter(Boolean);
  const declared = text.matchAll(
    /^export (?:declare |abstract |async )*(?:const|function\*?|class|interface|type) ([\w$]+)/gm,
  );
  const whole = [...text.matchAll(/^export (?:type )?\* from '(.*)'/gm)].map(([, target = '']) =>
    join(dirname(path), target),
  );
  return [...listed, ...[...declared].map(([, name = '']) => name), ...whole.flatMap(exportsOf)];
}

function unusedExports(folder: string): string[] {
  const others = read(typescript.filter((path) => !path.startsWith(`${folder}/`)));
  const used = new Set(others.flatMap(({ text }) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  return exportsOf(`${folder}/src/index.ts`).filter((name) => !used.has(name));
}

const lengths = sources.map(({ lines }) => lines.length).toSorted((a, b) => a - b);
const longest = sources.toSorted((a, b) => b.lines.length - a.lines.length)[0]?.path ?? '';
const comments = sources.map((file) => ({ ...file, lines: file.lines.filter(isComment) }));
const unused = ['packages/core', 'packages/contracts'].flatMap(unusedExports);
const variables = readFileSync('.env.example', 'utf8').match(/^[A-Z_]+=/gm) ?? [];

const figures: [figure: string, value: string | number][] = [
  ['source lines', sum(lengths)],
  ['code lines (no comment, import or blank)', count(sources, isCode)],
  ['files', sources.length],
  [
    'file length: median / p90 / max',
    `${quantile(lengths, 0.5)} / ${quantile(lengths, 0.9)} / ${lengths.at(-1)} (${longest})`,
  ],
  ['files under 30 lines', lengths.filter((length) => length < 30).length],
  ['comment lines', count(sources, isComment)],
  ['comment lines with words to avoid', count(comments, isAvoided)],
  ['lines of docs with words to avoid', count(docs, isAvoided)],
  ['lint exceptions', count(sources, (line) => /oxlint-disable/.test(line))],
  ['exports of core and contracts without a user', unused.length],
  ['environment variables', variables.length],
  ['test lines / files', `${sum(tests.map(({ lines }) => lines.length))} / ${tests.length}`],
];
const width = Math.max(...figures.map(([figure]) => figure.length));
for (const [figure, value] of figures) console.log(`${figure.padEnd(width)}  ${value}`);
if (process.argv.includes('--unused')) console.log(unused.join('\n'));
if (process.argv.includes('--words')) {
  for (const { path, lines } of [...comments, ...docs]) {
    for (const line of lines.filter(isAvoided)) console.log(`${path}: ${line.trim()}`);
  }
}
