import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: readonly { html: string }[];
}

const everything = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const context = JSON.stringify({ exclude: ['tbody tr:nth-of-type(n + 5)'] });

async function run(page: Page, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const violations: Violation[] = await page.evaluate(
    `axe.run(${context}, ${options}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export const violationsOf = (page: Page): Promise<string[]> => run(page, everything);

/** Only contrast, which differs in the dark theme. */
export const contrastViolationsOf = (page: Page): Promise<string[]> =>
  run(page, { type: 'rule', values: ['color-contrast'] });

/** Switching a tab to the dark theme is faster than a new tab. */
export async function darken(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  // Colours change over a short transition, and those of nested elements after it.
  await page.evaluate(async () => {
    for (let running = document.getAnimations(); running.length > 0; running = document.getAnimations()) {
      await Promise.allSettled(running.map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
    }
  });
}
