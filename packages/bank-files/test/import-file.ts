import {
  type Answers,
  checkImport,
  continueImport,
  type ImportRun,
  type Outcome,
  planRequests,
  reportOf,
} from '../src/index.ts';
import type { MemoryService } from './content-store.ts';
import { read } from './read.ts';

/** Reads, checks and stores a file, like the command line and the dashboard. */
export async function importFile(
  service: MemoryService,
  content: string | Uint8Array<ArrayBuffer>,
  answers: Answers = {},
  more: Partial<ImportRun> = {},
) {
  const started = startImport(service, content, answers, more);
  const { file, outcomes: checked, missing } = await started.check();
  const isStored = file.questions.length === 0;
  const outcomes: Outcome[] = [];
  if (isStored) await continueImport(started.run, { count: file.requests, checked, outcomes });
  return {
    file,
    checked: reportOf(file, checked),
    report: reportOf(file, outcomes, missing),
    outcomes,
    waits: started.waits,
  };
}

export function startImport(
  service: MemoryService,
  content: string | Uint8Array<ArrayBuffer>,
  answers: Answers,
  more: Partial<ImportRun> = {},
) {
  let requests: ReturnType<typeof planRequests> = [];
  const waits: number[] = [];
  const run: ImportRun = {
    id: crypto.randomUUID(),
    companyId: 'co_1',
    api: service,
    request: async (index) => {
      const request = requests[index];
      if (!request) throw new Error(`no request ${index}`);
      return request;
    },
    keepSimilar: answers.keep_similar === true,
    withoutBalances: false,
    onProgress: () => undefined,
    wait: async (ms) => void waits.push(ms),
    signal: new AbortController().signal,
    ...more,
  };
  const check = () =>
    checkImport(run, async (storedCurrencies) => {
      const file = await read(content, answers, { baseCurrency: 'USD', storedCurrencies });
      requests = planRequests(file);
      return { ...file, requests: requests.length };
    });
  return { run, waits, check };
}
