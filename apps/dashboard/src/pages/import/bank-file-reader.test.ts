// Risk: a file is summarised wrongly, or the rows that are sent are not those that were shown.
import { expect, test } from 'vitest';
import { createBankFileReader } from './bank-file-reader.ts';

const context = { timeZone: 'Pacific/Auckland', today: '2026-11-25', baseCurrency: 'NZD' };
const options = { answers: {}, context };

test('a CSV file uses its own currency and the company’s days', async () => {
  const reader = createBankFileReader();
  const file = new Blob([
    'Date,Description,Amount (EUR)\n2026-01-02,Rent,-5.00\n2026-01-01,Sale,7.00\n2026-01-03,Bad,x\n',
  ]);
  const summary = await reader.read({ file, options });
  expect(summary).toMatchObject({
    format: 'csv',
    accounts: [{ account: '', currency: 'EUR', rows: 2, balances: 0, period: ['2026-01-01', '2026-01-02'] }],
    problems: [{ line: 4, code: 'row' }],
    questions: [{ code: 'account', about: '' }],
    requests: 0,
    error: undefined,
  });
  const named = { answers: { connection: { '': 'giro' } }, context };
  expect(await reader.read({ file, options: named })).toMatchObject({ questions: [], requests: 1 });
  expect(await reader.request({ file, index: 0, options: named })).toMatchObject({
    rows: [{ connection_id: 'giro', amount_cents: -500, currency: 'EUR' }, { connection_id: 'giro' }],
  });
});

test('a file with an open question has a preview, and an invalid file has a position', async () => {
  const file = new Blob(['When,Amount (EUR)\n2026-01-02,-5.00\n']);
  const open = await createBankFileReader().read({ file, options });
  expect(open).toMatchObject({
    questions: [{ code: 'column', about: 'date' }, { code: 'account' }],
    requests: 0,
    error: undefined,
  });
  const broken = new Blob(['<Document>\n<BkToCstmrStmt></Document>']);
  const failed = await createBankFileReader().read({ file: broken, options });
  expect(failed).toMatchObject({ error: expect.stringMatching(/^Line 2, column \d+: /) });
  const empty = await createBankFileReader().read({ file: new Blob([]), options });
  expect(empty.error).toBe('The file is empty');
});
