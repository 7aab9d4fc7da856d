// Risk: a bank file is stored with a wrong sign, day or amount, stored twice, or rows are lost without a word.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { type Json, navigate, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany } from './records.ts';

const dash = setUpDashboard();

const camt = new URL('../../../packages/bank-files/test/samples/camt/camt053.v2.multi.statement.xml', import.meta.url);
const german = { base_currency: 'EUR', timezone: 'Europe/Berlin' };
const rowsOf = async (id: string): Promise<Json[]> =>
  (await dash.api('GET', `/companies/${id}/bank/transactions?limit=100&order=asc`)).data;

/** The columns of amount and text have unknown names, days and months can be confused, and the third amount is none. */
const csv = `Date;Note;Payee;Money
03/04/2026;Rent;Landlord;-1.200,50
04/04/2026;"Invoice 7; paid";Customer;2.000,00
05/04/2026;Broken;Nobody;12,3x
06/04/2026;=cmd();Café;-3,20
`;

const open = (companyId: string): Promise<Page> => dash.open('/transactions/import', { company: companyId });

const choose = (page: Page, name: string, content: string | Buffer) =>
  page.getByLabel('Choose file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
const fact = (page: Page, panel: string, name: string) =>
  page
    .getByRole('region', { name: panel, exact: true })
    .getByText(name, { exact: true })
    .locator('xpath=following-sibling::dd');

async function correctMapping(page: Page): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).selectOption('Money');
  await page.getByLabel('Description', { exact: true }).selectOption('Note');
  await page.getByRole('textbox', { name: 'Currency' }).fill('EUR');
  await page.getByLabel('Date format').selectOption('DD/MM/YYYY');
  await page.getByRole('table', { name: 'First rows as they will be stored' }).getByText('Invoice 7; paid').waitFor();
}

test('a CSV file is mapped, checked and stored except for its invalid row, which the report names; a second import stores nothing', async () => {
  const id = await createCompany(dash.api, 'Files GmbH', german);
  const page = await dash.open('/transactions', { company: id });
  await page.getByRole('link', { name: 'Import file' }).click();
  await choose(page, 'april.csv', csv);
  await page.getByText(/Which column has the amount\?/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await correctMapping(page);
  await page.getByText('1 row left out').waitFor();
  await page.getByText('"12,3x" is not an amount').waitFor();
  await page.getByRole('table', { name: 'First rows as they will be stored' }).getByText('-€1,200.50').waitFor();
  await page.getByLabel('Account', { exact: true }).fill('giro');
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect.poll(() => fact(page, 'Check', 'To import').textContent()).toBe('3 rows');
  expect(await fact(page, 'Check', 'Money in (EUR)').textContent()).toBe('€2,000.00');
  expect(await fact(page, 'Check', 'Money out (EUR)').textContent()).toBe('€1,203.70');
  expect(await fact(page, 'Check', 'Left out').textContent()).toBe('1 row');
  expect(await rowsOf(id)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  await page.getByText('3 rows stored.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await rowsOf(id)).toMatchObject([
    { amount_cents: -120_050, posted_at: '2026-04-03T10:00:00.000Z', counterparty: 'Landlord', connection_id: 'giro' },
    { amount_cents: 200_000, currency: 'EUR', description: 'Invoice 7; paid', source: 'file:csv' },
    { amount_cents: -320, description: '=cmd()' },
  ]);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download skipped rows' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('april-skipped.csv');
  expect(await text(await download.createReadStream())).toMatch(/^line,reason,.*\r\n4,.*12,3x.* is not an amount/);

  // The mapping is remembered and used after confirmation.
  await page.getByRole('button', { name: 'Import another file' }).click();
  await choose(page, 'april.csv', csv);
  await page.getByText(/Which column has the amount\?/).waitFor();
  await page.getByRole('button', { name: 'Use the choices for the last file' }).click();
  await page.getByText('your choices for the last file with the same columns').waitFor();
  await page.getByLabel('Account', { exact: true }).fill('giro');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByText('Everything in this file is already stored.').waitFor();
  expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  expect(dash.errors(page)).toEqual([]);
});

test('a CAMT.053 file is stored with its closing balance, and a repeated one is not', async () => {
  const id = await createCompany(dash.api, 'Konto GmbH', german);
  for (const isNew of [true, false]) {
    const page = await open(id);
    await choose(page, 'statement.xml', readFileSync(camt));
    await page.getByText('CAMT.053 (ISO 20022)').waitFor();
    await page.getByRole('button', { name: 'Check file' }).click();
    if (isNew) {
      await page.getByRole('button', { name: /^Import \d+ row/ }).click();
      await page.getByText(/\d rows? stored\./).waitFor();
    } else {
      await page.getByText('Everything in this file is already stored.').waitFor();
    }
    expect(dash.errors(page)).toEqual([]);
  }
  const rows = await rowsOf(id);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ source }) => source === 'file:camt.053')).toBe(true);
  expect((await dash.api('GET', `/companies/${id}/cash/balances`)).data).toHaveLength(1);
});

test('rows that do not explain the balances are stored after an answer, and the balances are not', async () => {
  const id = await createCompany(dash.api, 'Sums GmbH', german);
  const page = await open(id);
  const rows = ['2026-03-01,-1.00,EUR,a,99.00,77', '2026-03-02,-1.00,EUR,b,90.00,77'];
  await choose(page, 'sums.csv', `Date,Amount,Currency,Description,Balance,Account\n${rows.join('\n')}\n`);
  await page.getByText(/Line 3: the rows of 77 do not explain its balance/).waitFor();
  expect(await page.getByRole('button', { name: 'Check file' }).count()).toBe(0);
  const question = page.getByLabel(/The rows don't explain the balances/);
  await question.selectOption('Store the rows, leave the balance out');
  await page.getByRole('button', { name: 'Check file' }).waitFor();
  // Every answer can be removed.
  await question.selectOption('Choose an answer');
  await expect.poll(() => page.getByRole('button', { name: 'Check file' }).count()).toBe(0);
  await question.selectOption('Store the rows, leave the balance out');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('2 rows stored.').waitFor();
  expect((await dash.api('GET', `/companies/${id}/cash/balances`)).data).toEqual([]);
  expect(dash.errors(page)).toEqual([]);
});

test('each currency of an account has its connection, and a row that is probably stored already is stored on demand', async () => {
  const id = await createCompany(dash.api, 'Currencies GmbH', german);
  const page = await open(id);
  const start = async (...rows: string[]): Promise<void> => {
    await page.reload();
    await choose(page, 'two.csv', `Date,Amount,Currency,Description,Account\n${rows.join('\n')}\n`);
  };
  const check = () => page.getByRole('button', { name: 'Check file' }).click();
  const store = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Import \d+ row/ }).click();
    await page.getByText(/\d rows? stored\./).waitFor();
  };
  await start('2026-03-01,-1.00,EUR,Rent,77', '2026-03-01,-2.00,USD,Tool,77');
  await page.getByLabel('Account for 77 in USD').fill('dollars');
  await check();
  await store();
  const placed = async () =>
    (await rowsOf(id)).map(({ currency, connection_id }) => `${currency} ${connection_id}`).sort();
  expect(await placed()).toEqual(['EUR 77', 'USD dollars']);

  // A file with another currency than the connection asks.
  await start('2026-03-02,-3.00,CHF,Ski,77');
  await check();
  await page.getByText('Answer the questions above, and check the file again.').waitFor();
  await page.getByLabel(/The connection 77 has EUR/).selectOption('77, whose currency changes');
  await check();
  await expect.poll(() => fact(page, 'Check', 'Account').textContent()).toBe('77');
  // The later value applies.
  await page.getByLabel('Account', { exact: true }).fill('francs');
  await check();
  await expect.poll(() => fact(page, 'Check', 'Account').textContent()).toBe('francs');
  await page.getByLabel('Account', { exact: true }).fill('');
  await check();
  await page.getByLabel(/The connection 77 has EUR/).selectOption('77 CHF, a connection of its own');
  expect(await violationsOf(page)).toEqual([]);
  await check();
  await store();
  expect(await placed()).toEqual(['CHF 77 CHF', 'EUR 77', 'USD dollars']);

  await start('2026-03-01,-1.00,EUR,Cinema,77');
  await check();
  await expect.poll(() => fact(page, 'Check', 'Probably already stored').textContent()).toBe('1 row');
  await page.getByLabel('Also store the rows that are probably already stored').check();
  await store();
  expect(await rowsOf(id)).toHaveLength(4);
  expect(dash.errors(page)).toEqual([]);
});

test('a stopped import continues, and a repeated one says what was stored', async () => {
  const id = await createCompany(dash.api, 'Cut GmbH', german);
  const page = await open(id);
  const lines = Array.from(
    { length: 1_200 },
    (_, i) => `2026-01-${String(1 + (i % 28)).padStart(2, '0')},Row ${i},-${i}.25`,
  );
  const file = ['Date,Description,Amount', ...lines, ''].join('\n');
  const check = async (): Promise<void> => {
    await page.reload();
    await choose(page, 'long.csv', file);
    await page.getByRole('textbox', { name: 'Currency' }).fill('EUR');
    await page.getByLabel('Account', { exact: true }).fill('giro');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: /^Import / }).waitFor();
  };
  await check();
  let sent = 0;
  await page.route('**/trpc/bank.transactions.ingest', async (route) => {
    sent += 1;
    if (sent !== 2) return route.continue();
    // Stored, but the response is lost and no retry helps.
    await route.fetch();
    const problem = { code: 'unavailable', status: 400, detail: 'The connection was lost.', retryable: false };
    return route.fulfill({
      status: 400,
      json: { error: { message: problem.detail, code: -32600, data: { problem } } },
    });
  });
  await page.getByRole('button', { name: 'Import 1,200 rows' }).click();
  await page.getByText('Stopped after 1 of 3 requests.').waitFor();
  await check();
  await page.getByText('1,000 rows are already stored and will not be stored twice.').waitFor();
  await page.getByRole('button', { name: 'Import 200 rows' }).click();
  await page.getByText('1,000 rows were stored before and not stored twice.').waitFor();
  const { data } = await dash.api(
    'GET',
    `/companies/${id}/bank/transactions?limit=1&q=${encodeURIComponent('Row 1199')}`,
  );
  expect(data).toHaveLength(1);
});

test('a file that takes too long is stopped, the page says what to do, and can try again', async () => {
  const id = await createCompany(dash.api, 'Slow GmbH', german);
  const page = await dash.page({ isolated: true });
  const isWorker = /bank-file\.worker/;
  let started = 0;
  await page.route(isWorker, (route) => {
    started += 1;
    return route.fulfill({ contentType: 'text/javascript', body: 'onmessage = () => { for (;;); };' });
  });
  await page.clock.install();
  await page.goto(`${dash.dashboard_url}/transactions/import?company=${id}`);
  await choose(page, 'slow.csv', csv);
  await page.getByText('Reading the file').waitFor();
  await expect.poll(() => page.workers().length).toBe(1);
  await page.clock.fastForward(30_000);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.clock.fastForward(40_000);
  const alert = page.getByRole('alert');
  await alert.getByText(/took longer than 60 s and was stopped\. Split the file, .*--read-timeout/).waitFor();
  await expect.poll(() => page.workers().length).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  expect(started).toBe(1);
  await page.unroute(isWorker);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(/Which column has the amount\?/).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('a file that can’t be read says where, and a key that may not ingest says why', async () => {
  const id = await createCompany(dash.api, 'Refused GmbH', german);
  const page = await open(id);
  const dataTransfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['<?xml version="1.0"?>\n<Document>\n<BkToCstmrStmt></Document>'], 'broken.xml'));
    return data;
  });
  await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer });
  await page
    .getByRole('alert')
    .getByText(/Line 3, column \d+: not well-formed XML/)
    .waitFor();
  const { key } = await dash.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
  const reader = await dash.open('/transactions', { company: id, key });
  await reader.getByText('No transactions yet').waitFor();
  expect(await reader.getByRole('link', { name: /import/i }).count()).toBe(0);
  await navigate(reader, '/transactions/import');
  await reader.getByText('Your key can’t import files').waitFor();
  expect(dash.errors(page)).toEqual([]);
});
