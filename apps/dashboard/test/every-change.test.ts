// Risk: the API offers an operation that the dashboard lacks.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationList } from '@finhook/contracts';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: src })
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(join(src, path), 'utf8').replaceAll(/\s+/g, ''))
  .join('\n');

test.each(operationList.filter(({ kind }) => kind === 'mutation').map(({ id }) => id))(
  '%s can be done in the dashboard',
  (id) =>
    expect(sources).toMatch(
      new RegExp(
        `(useOperation(<\\w+>)?\\(|operation[=:]\\{?)['"]${id.replaceAll('.', String.raw`\.`)}['"]|\\.${id.replaceAll('.', String.raw`\.`)}\\.mutate\\(`,
      ),
    ),
);
