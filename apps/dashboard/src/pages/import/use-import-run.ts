import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useCompany } from '../../components/shell/company-context.ts';
import { useTRPCClient } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { ReadOptions } from './bank-file-reader.ts';
import type { FileWorker } from './file-worker.ts';
import { type ImportApi, type Outcome, runImport } from './import-run.ts';

interface Started {
  id: string;
  options: ReadOptions;
  count: number;
  checked?: readonly Outcome[] | undefined;
}

/** A dry run, or an import, and its progress. It ends with the page. */
export interface Run {
  start: (options: ReadOptions, count: number, checked?: readonly Outcome[]) => void;
  /** Goes on after an error. */
  resume: () => void;
  reset: () => void;
  options: ReadOptions | undefined;
  done: number;
  total: number;
  isPending: boolean;
  error: Error | null;
  data: readonly Outcome[] | undefined;
}

function useImportApi(): ImportApi {
  const client = useTRPCClient();
  return useMemo(
    () => ({
      ingest: (input, idempotencyKey) => client.bank.transactions.ingest.mutate(input, { context: { idempotencyKey } }),
      upsert: (input, idempotencyKey) => client.cash.balances.upsert.mutate(input, { context: { idempotencyKey } }),
    }),
    [client],
  );
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `key` is the operation whose records are refetched after a success. */
export function useImportRun(key: string, worker: FileWorker): Run {
  const { id: companyId } = useCompany();
  const api = useImportApi();
  const may = usePermission();
  const outcomes = useRef<Outcome[]>([]);
  const abort = useRef<AbortController>(undefined);
  const [done, setDone] = useState(0);
  useEffect(() => () => abort.current?.abort(), []);
  const mutation = useMutation({
    mutationKey: [key],
    async mutationFn({ id, options, count, checked }: Started) {
      abort.current = new AbortController();
      return runImport({
        id,
        companyId,
        count,
        api,
        request: async (index) => worker.request(index, options),
        withoutBalances: !may('cash.balances.upsert'),
        outcomes: outcomes.current,
        onProgress: () => setDone(outcomes.current.length),
        wait,
        signal: abort.current.signal,
        ...(checked && { checked }),
      });
    },
  });
  const { variables, mutate } = mutation;
  return {
    start(options, count, checked) {
      outcomes.current = [];
      setDone(0);
      mutate({ id: crypto.randomUUID(), options, count, checked });
    },
    resume: () => variables && mutate(variables),
    reset() {
      abort.current?.abort();
      mutation.reset();
    },
    options: variables?.options,
    done,
    total: variables?.count ?? 0,
    isPending: mutation.isPending,
    error: mutation.error,
    data: mutation.data,
  };
}
