import { type Answers, type BankFile, type ReadingContext, readBankFile } from '../src/index.ts';
import type { Step } from '../src/step.ts';

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Reads a file for a company in UTC, after the days of all samples. */
export async function read(
  content: string | Uint8Array<ArrayBuffer>,
  answers: Answers = {},
  context: Partial<ReadingContext> = {},
  step?: Step,
): Promise<BankFile> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  return readBankFile(bytes, answers, { timeZone: 'UTC', today: '2026-11-25', ...context }, step);
}
