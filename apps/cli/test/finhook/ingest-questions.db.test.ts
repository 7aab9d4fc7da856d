// Risk: a person on a terminal is asked twice, or an answer is misread.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { finhookProgram } from './run-finhook.ts';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();
const script = '/usr/bin/script';

/** Runs a command on a terminal, and types each answer when its question appears. */
async function onTerminal(args: readonly string[], answers: readonly (readonly [string, string])[]) {
  const line = [process.execPath, finhookProgram, ...args].map((each) => `'${each}'`).join(' ');
  const child = spawn(script, ['-qec', line, '/dev/null'], { env: { ...finhook.env, TERM: 'dumb' } });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const closed = once(child, 'close');
  let from = 0;
  for (const [question, answer] of answers) {
    await expect.poll(() => shown.slice(from), { timeout: 8_000 }).toContain(question);
    from = shown.indexOf(question, from) + question.length;
    child.stdin.write(`${answer}\r`);
  }
  await closed;
  return { code: child.exitCode, shown };
}

test.runIf(existsSync(script))(
  'what a file leaves open is asked one by one, then what is new is confirmed',
  async () => {
    const company = await finhook.createCompany();
    const path = finhook.fileOf('Date,Amount,Description\n03/04/2026,-1000,Rent\n');
    const { code, shown } = await onTerminal(
      ['ingest', path, company],
      [
        ['The file names no currency', 'jpy'],
        ['Which format do the dates have?', '2'],
        ['Which connection do the rows belong to?', 'giro'],
        ['[y/N]', 'y'],
      ],
    );
    expect(code, shown).toBe(0);
    expect(await finhook.all('bank', 'transactions', 'list', company)).toMatchObject([
      { amount_cents: -1000, currency: 'JPY', connection_id: 'giro', posted_at: expect.stringMatching('^2026-03-04') },
    ]);
  },
);
