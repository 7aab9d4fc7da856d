// Risk: a page of the repository links to a page, a section or a file that was moved or deleted.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'bench/*.md', 'docs/**/*.md', '{apps,packages,sdks}/*/README.md'], { cwd: root });

const withoutBlocks = (text: string): string => text.replaceAll(/^\s*```[^]*?^\s*```$/gm, '');
const texts = new Map(pages.map((page) => [page, withoutBlocks(readFileSync(join(root, page), 'utf8'))]));

/** The anchors of a page, as GitHub makes them of its headings. That of the title is none at /docs. */
function anchorsOf(text: string): string[] {
  const slugs = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return slugs.map((slug, i) => {
    const before = slugs.slice(0, i).filter((one) => one === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** What is wrong with a link of the page, if anything. */
function brokenLink(page: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(join(root, file))) return `${page}: ${target} does not exist`;
  const text = texts.get(file);
  if (anchor === undefined || text === undefined || anchorsOf(text).includes(anchor)) return undefined;
  return `${page}: ${target} has no such section`;
}

test('every relative link leads to a file and a section that exist', () => {
  const links = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\]\(((?!https?:|mailto:|\/)[^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.map(({ page, target }) => brokenLink(page, target)).filter((one) => one !== undefined)).toEqual([]);
});

test('no page has two sections with one name, whose anchors would depend on their order', () => {
  const twice = [...texts]
    .filter(([page]) => page.startsWith('docs/') && !page.startsWith('docs/reference/'))
    .flatMap(([page, text]) => {
      const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
      return anchors.filter((one, i) => anchors.indexOf(one) !== i).map((one) => `${page}: ${one}`);
    });
  expect(twice).toEqual([]);
});

test('every path of the repository that a page names exists', () => {
  const folders = 'apps|bench|deploy|docs|ops|packages|sdks|tools|\\.ci|\\.github';
  const path = new RegExp(`\`((?:${folders})/[^\`\\s<…$#]+)\``, 'g');
  const named = [...texts]
    .filter(([page]) => !/^(CHANGELOG|docs\/adr\/)/.test(page))
    .flatMap(([page, text]) => [...text.matchAll(path)].map(([, name = '']) => ({ page, name })));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    ({ name }) =>
      !/\/(dist|node_modules)\b/.test(name) && globSync(name.replace(/\/$/, ''), { cwd: root }).length === 0,
  );
  expect(missing).toEqual([]);
});

test('the index of decisions has a row for each', () => {
  const decisions = globSync('0*.md', { cwd: join(root, 'docs/adr') }).toSorted();
  const rows = [...(texts.get('docs/adr/README.md') ?? '').matchAll(/^\| \[\d+\]\((\S+)\) \| \S/gm)];
  expect(rows.map(([, file]) => file)).toEqual(decisions);
});
