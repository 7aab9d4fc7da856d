// Risk: the first command that a new user copies does not work, or shows a key.
import { expect, test } from 'vitest';
import { firstPosts } from './getting-started.view.ts';

test('three commands name the company, this service and the variable that holds the key', () => {
  const posts = firstPosts('https://finhook.example', 'co_1', 'JPY', '2026-03-02');
  expect(posts).toHaveLength(3);
  for (const { command } of posts) {
    expect(command).toContain('https://finhook.example/api/v1/companies/co_1/');
    expect(command).toContain('"Authorization: Bearer $FINHOOK_API_KEY"');
    const data = /-d '(.*)'$/.exec(command)?.[1] ?? '';
    expect(JSON.parse(data)).toMatchObject({ currency: 'JPY' });
  }
});
