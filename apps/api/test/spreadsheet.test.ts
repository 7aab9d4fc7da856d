// Risk: a spreadsheet runs an exported text as a formula.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { encodeCsvHeader, encodeCsvRows } from '../src/rest/exports/encode-csv.ts';

const run = promisify(execFile);
const hasCalc = await run('soffice', ['--version']).then(
  () => true,
  () => false,
);
if (!hasCalc) console.warn('Formulas are not tested in LibreOffice: install libreoffice-calc-nogui.');

const texts = ['=1+1', 'x;=1+1;y', 'x;"=1+1;y', 'x,=1+1', 'x\n=1+1', 'x|=1+1', 'x\t=1+1', '＝1+1', '-1+1', '@SUM(1)'];
const file =
  encodeCsvHeader(['id', 'text', 'json', 'n']) +
  encodeCsvRows(
    ['id', 'text', 'json', 'n'],
    texts.map((text, n) => ({ id: `row_${n}`, text, json: { text, list: [text] }, n: -n })),
  );

test.runIf(hasCalc).each([
  ['comma', 44],
  ['semicolon', 59],
])('LibreOffice finds no formula in an export that it opens with a %s', { timeout: 120_000 }, async (_, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-csv-'));
  try {
    writeFileSync(join(folder, 'export.csv'), file);
    // Separator, quote, UTF-8, first line 1; formulas are evaluated as when a person opens the file.
    const filter = `--infilter=CSV:${code},34,76,1,,0,false,true,false,false,false,-1,true`;
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run('soffice', [
      profile,
      '--headless',
      filter,
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      `${folder}/export.csv`,
    ]);
    const sheet = readFileSync(join(folder, 'export.fods'), 'utf8');
    expect(sheet).toContain('row_9');
    expect(sheet.match(/table:formula="[^"]*"/g)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
