import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: readonly { html: string }[];
}

const everything = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

async function run(page: Page, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, ${options}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** What axe finds in the current theme. */
export const violationsOf = (page: Page): Promise<string[]> => run(page, everything);

/** What axe finds in the other theme, which differs from the current one in its colours alone. */
export async function contrastViolationsOf(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  return run(page, { type: 'rule', values: ['color-contrast'] });
}
