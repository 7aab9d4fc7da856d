// Risk: the guide shows code that does not work, or reasons that the receiver does not return.
import { readdirSync, readFileSync } from 'node:fs';
import { webhookRejectionHints } from '@finhook/client';
import { expect, test } from 'vitest';
import { abortRequest } from './abort-request.ts';
import { setUps } from './set-ups.ts';
import { post, secretOf, signedDelivery } from './signed-delivery.ts';
import { startTenLines } from './start-ten-lines.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const guide = read('../../../docs/receiving-webhooks.md');

/** Without the line for the linter. */
const quoted = (name: string) => `\n\`\`\`ts\n${read(`../examples/${name}`).replace(/^\/\* oxlint-.*\n/, '')}\`\`\`\n`;
const rowsBelow = (head: string) => {
  const [, rows = ''] = guide.split(`| ${head} |\n| --- | --- |\n`);
  return rows.split('\n\n', 1)[0]?.trim().split('\n');
};

const receivers = readdirSync(new URL('../examples', import.meta.url)).filter(
  (name) => !['typed-client.ts', 'provider.ts'].includes(name),
);
test.for(receivers)('the guide quotes examples/%s as it is', (name) => {
  expect(guide).toContain(quoted(name));
});

test('the README quotes the typed client, which compiles', () => {
  expect(read('../../../README.md')).toContain(quoted('typed-client.ts'));
});

test('the readme of the package quotes the provider', () => {
  expect(read('../README.md')).toContain(quoted('provider.ts'));
});

test('the README and the quickstart have the same ten lines', () => {
  const block = quoted('ten-lines.ts');
  expect(read('../../../README.md')).toContain(block);
  expect(read('../../../docs/quickstart.md')).toContain(block);
  expect(block.split('\n').filter((line) => line !== '' && !line.startsWith('```'))).toHaveLength(10);
});

test('the table of reasons is that of the receiver, word for word', () => {
  const rows = Object.entries(webhookRejectionHints).map(([reason, hint]) => `| \`${reason}\` | ${hint} |`);
  expect(rowsBelow('reason | what it means, and what to do')).toEqual(rows);
});

test('the table of wrong set-ups is what they say when they are tried', () => {
  expect(rowsBelow('set-up | reason')).toEqual(setUps.map(({ name, verdict }) => `| ${name} | \`${verdict}\` |`));
});

test('the ten lines, unchanged, reject forgeries and survive a sender that disconnects', async () => {
  const event = {
    id: 'evt_01kgw3q2m8v7d5n0r4t6x9zabc',
    type: 'bank.balance.updated',
    created_at: '2026-03-01T09:00:00.000Z',
    account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
    data: { balance_cents: 41_250_000 },
  };
  const program = await startTenLines(secretOf(1));
  expect(await post(program.url, signedDelivery(event, { secrets: [secretOf(2)] }))).toEqual({ status: 400, text: '' });
  await abortRequest(program.url);
  expect(await post(program.url, signedDelivery(event, { secrets: [secretOf(1)] }))).toEqual({ status: 204, text: '' });
  const output = await program.stop();
  expect(output).toContain(`no_matching_signature ${webhookRejectionHints.no_matching_signature}`);
  expect(output).toContain('bank.balance.updated { balance_cents: 41250000 }');
});
