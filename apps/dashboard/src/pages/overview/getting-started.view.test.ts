// Risk: the first command that a new user copies does not work, or shows a key.
import { operationList } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { firstPosts } from './getting-started.view.ts';

const bodyOf = (command: string): object => JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? '');

test('three commands name the company, this service and the variable that holds the key', () => {
  const posts = firstPosts('https://finhook.example', 'co_1', 'JPY', '2026-03-02');
  expect(posts).toHaveLength(3);
  for (const { command } of posts) {
    expect(command).toContain('https://finhook.example/api/v1/companies/co_1/');
    expect(command).toContain('"Authorization: Bearer $FINHOOK_API_KEY"');
    expect(bodyOf(command)).toMatchObject({ currency: 'JPY' });
  }
});

test.each(firstPosts('', 'co_1', 'JPY', '2026-03-02'))('$label: its operation accepts the body', ({ command }) => {
  const [, path] = /\/api\/v1(\S+)/.exec(command) ?? [];
  const operation = operationList.find(
    ({ http }) => http.method === 'POST' && http.path.replace('{company_id}', 'co_1') === path,
  );
  expect(operation?.input.safeParse({ company_id: 'co_1', ...bodyOf(command) })).toMatchObject({ success: true });
});
