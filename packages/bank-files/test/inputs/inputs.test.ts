// Risk: a bank's file gives wrong rows or balances, asks needlessly or can't be answered; an import exits with 0
// despite a loss; or the next file of an account doubles or loses rows.
import { describe, expect, test } from 'vitest';
import type { Answers, BankFileError } from '../../src/index.ts';
import { MemoryService } from '../content-store.ts';
import { importFile } from '../import-file.ts';
import { checkEntry, type Expected, readInput } from './check-entry.ts';
import { expected as csvFiles, sequences as csvSequences } from './expected-csv.ts';
import { expected as otherFiles, sequences as otherSequences } from './expected-formats.ts';

const expected = [...csvFiles, ...otherFiles];
const sequences = [...csvSequences, ...otherSequences];

async function exitCode({ file, answers = {} }: Expected): Promise<number> {
  return importFile(new MemoryService(), readInput(file), answers).then(
    ({ report }) => report.exit_code,
    (error: BankFileError) => (error.name === 'BankFileError' ? 1 : Promise.reject(error)),
  );
}

describe('a file asks, stores and reports what its expected values say', () => {
  test.each(expected.map((entry) => [entry.file, entry] as const))('%s', async (_, entry) => {
    expect.hasAssertions();
    await checkEntry(entry);
  });
});

describe('an import ends with the exit code of its expected values', () => {
  test.each(expected.map((entry) => [entry.file, entry] as const))('%s', async (_, entry) => {
    const { exit = entry.error === undefined ? 0 : 1 } = entry;
    expect(await exitCode(entry)).toBe(exit);
  });
});

describe('files that are imported one after the other store each row once', () => {
  test.each(sequences.map((sequence) => [sequence.files.join(', '), sequence] as const))('%s', async (_, sequence) => {
    const { files, answers = {}, perFile } = sequence;
    const answersOf = (i: number): Answers => (isList(answers) ? (answers[i] ?? {}) : answers);
    const service = new MemoryService();
    const stored: number[] = [];
    for (const [i, file] of files.entries()) {
      const { report } = await importFile(service, readInput(file), answersOf(i));
      expect(report).toMatchObject({ exit_code: 0 });
      stored.push(report.stored);
    }
    expect(stored).toEqual(perFile);
    expect(service.rows).toHaveLength(perFile.reduce((sum, count) => sum + count, 0));
  });
});

function isList(answers: Answers | readonly Answers[]): answers is readonly Answers[] {
  return Array.isArray(answers);
}
