import {
  type Checked,
  checkImport,
  continueImport,
  type ImportApi,
  type ImportFault,
  type ImportRun,
  type Outcome,
  type Progress,
} from '@finhook/bank-files';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useCompany } from '../../components/shell/company-context.ts';
import { explain, problemOf } from '../../lib/problem.ts';
import { mayPass } from '../../lib/query-client.ts';
import { useTRPCClient } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { FileSummary, ReadOptions } from './bank-file-reader.ts';
import type { FileWorker } from './file-worker.ts';

export interface Sent extends Checked<FileSummary> {
  options: ReadOptions;
}

interface Started {
  id: string;
  options: ReadOptions;
  keepSimilar: boolean;
  /** The dry run that this import follows. */
  checked: Sent | undefined;
  /** Set on an import, which continues after an error. */
  progress: Progress;
}

export interface Run {
  start: (options: ReadOptions, more?: { keepSimilar?: boolean; checked?: Sent }) => void;
  resume: () => void;
  reset: () => void;
  done: number;
  total: number;
  keepSimilar: boolean;
  isPending: boolean;
  error: Error | null;
  data: Sent | undefined;
}

function useImportApi(): ImportApi {
  const client = useTRPCClient();
  return useMemo(
    () => ({
      ingest: (input, idempotencyKey) => client.bank.transactions.ingest.mutate(input, { context: { idempotencyKey } }),
      upsert: (input, idempotencyKey) => client.cash.balances.upsert.mutate(input, { context: { idempotencyKey } }),
      list: (input) => client.bank.transactions.list.query(input),
      explain: faultOf,
    }),
    [client],
  );
}

const LIMITED_MS = 5_000;

function faultOf(error: unknown): ImportFault {
  const { status, errors = [] } = problemOf(error) ?? {};
  const texts = errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`);
  return {
    message: explain(error),
    isTemporary: mayPass(error),
    ...(status === 429 ? { waitMs: LIMITED_MS } : {}),
    status,
    reason: texts.join('; ') || explain(error),
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function useImportRun(key: string, worker: FileWorker): Run {
  const { id: companyId } = useCompany();
  const api = useImportApi();
  const may = usePermission();
  const abort = useRef<AbortController>(undefined);
  const [{ done, total }, setProgress] = useState({ done: 0, total: 0 });
  useEffect(() => () => abort.current?.abort(), []);
  const mutation = useMutation({
    mutationKey: [key],
    async mutationFn({ id, options, keepSimilar, checked, progress }: Started): Promise<Sent> {
      abort.current = new AbortController();
      let used = checked?.options ?? options;
      const run: ImportRun = {
        id,
        companyId,
        api,
        keepSimilar,
        request: async (index) => worker.request(index, used),
        withoutBalances: !may('cash.balances.upsert'),
        onProgress: (at, of) => setProgress({ done: at, total: of }),
        wait,
        signal: abort.current.signal,
      };
      if (checked) return { ...checked, outcomes: await continueImport(run, progress) };
      const result = await checkImport(run, async (storedCurrencies) => {
        used = { ...options, context: { ...options.context, storedCurrencies } };
        const file = await worker.read(used);
        if (file.error !== undefined) throw new Error(`${file.error}.`);
        setProgress({ done: 0, total: file.requests });
        return file;
      });
      return { ...result, options: used };
    },
  });
  const { variables, mutate } = mutation;
  return {
    start(options, { keepSimilar = false, checked } = {}) {
      const count = checked?.file.requests ?? 0;
      setProgress({ done: 0, total: count });
      const outcomes: Outcome[] = [];
      const progress = { count, checked: checked?.outcomes, outcomes };
      mutate({ id: crypto.randomUUID(), options, keepSimilar, checked, progress });
    },
    resume: () => variables && mutate(variables),
    reset() {
      abort.current?.abort();
      mutation.reset();
    },
    done,
    total,
    keepSimilar: variables?.keepSimilar ?? false,
    isPending: mutation.isPending,
    error: mutation.error,
    data: mutation.data,
  };
}
