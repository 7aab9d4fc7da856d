import type { CsvMapping, CsvPreview, Question } from '@finhook/bank-files';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { ErrorState, Loading } from '../../components/states.tsx';
import type { FileSummary, ReadOptions } from './bank-file-reader.ts';
import { keptMapping, questionsOf, savedMapping, saveMapping } from './csv-mapping.view.ts';
import { CsvMappingPanel } from './csv-mapping-panel.tsx';
import { Destination } from './destination.tsx';
import { FileFacts, SampleRows } from './file-facts.tsx';
import { createFileWorker, type FileWorker } from './file-worker.ts';
import { CheckPanel, ImportedPanel } from './result-panels.tsx';
import { useImportRun } from './use-import-run.ts';

export interface ImportFileProps {
  id: string;
  file: File;
  onOther: () => void;
}

/** From a file to its stored rows: mapping, dry run, import. */
export function ImportFile({ id, file, onOther }: ImportFileProps): React.JSX.Element {
  const [worker] = useState(() => createFileWorker(file));
  useEffect(() => worker.close, [worker]);
  const { read, options, mapping, isRemembered, chooseMapping, remember, currency, chooseCurrency } = useFile(
    id,
    worker,
  );
  const check = useImportRun('import-check', worker);
  const run = useImportRun('bank.transactions.ingest', worker);
  useBlocker({
    shouldBlockFn: () => run.isPending && !confirm('Leave this page? The import stops. You can repeat it later.'),
    enableBeforeUnload: run.isPending,
  });
  const summary = read.data;
  const isRunning = run.isPending || run.error !== null || run.data !== undefined;
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      check.reset();
      set(value);
    };
  return (
    <>
      <Panel
        title={file.name}
        actions={
          !run.isPending && (
            <Button size="small" onClick={onOther}>
              {run.data ? 'Import another file' : 'Choose another file'}
            </Button>
          )
        }
      >
        {read.error ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : summary === undefined ? (
          <Loading label="Reading the file" />
        ) : (
          <FileFacts summary={summary} size={file.size} isReading={read.isFetching} />
        )}
        {summary?.error !== undefined && Object.keys(mapping).length > 0 && (
          <Button size="small" className="mt-3" onClick={() => chooseMapping({})}>
            Guess the columns again
          </Button>
        )}
      </Panel>
      {summary?.csv && !isRunning && (
        <CsvMappingPanel
          preview={summary.csv}
          open={summary.questions}
          mapping={mapping}
          isRemembered={isRemembered}
          onChange={changed(chooseMapping)}
        />
      )}
      {summary && summary.sample.length > 0 && !isRunning && <SampleRows rows={summary.sample} />}
      {summary && summary.requests > 0 && !isRunning && (
        <Destination
          summary={summary}
          currency={currency}
          onCurrency={changed(chooseCurrency)}
          busy={check.isPending || read.isFetching}
          onEdit={check.reset}
          onCheck={(given) => {
            if (summary.csv) remember(summary.csv);
            check.start({ ...options, ...given }, summary.requests);
          }}
        />
      )}
      {summary && !isRunning && (
        <CheckPanel
          run={check}
          summary={summary}
          fileName={file.name}
          onImport={() => check.options && run.start(check.options, summary.requests, check.data)}
        />
      )}
      {summary && isRunning && <ImportedPanel run={run} summary={summary} fileName={file.name} />}
    </>
  );
}

const guess: Partial<CsvMapping> = {};
const noQuestions: readonly Question[] = [];

function useFile(id: string, worker: FileWorker) {
  const { base_currency: base, timezone: timeZone } = useCompany();
  const [mapping, setMapping] = useState(guess);
  const [isRemembered, setRemembered] = useState(false);
  const [currency, setCurrency] = useState(base);
  const options: ReadOptions = { timeZone, csv: mapping, currency };
  const read = useQuery<FileSummary>({
    queryKey: ['bank-file', id, options],
    queryFn: async () => worker.read(options),
    placeholderData: keepPreviousData,
    staleTime: 'static',
    // What invalidates records, such as a new connection of the stream, must not read a failed file again.
    enabled: ({ state }) => state.status !== 'error',
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  });
  const csv = read.data?.csv;
  const open = read.data?.questions ?? noQuestions;
  const hasLooked = useRef(false);
  useEffect(() => {
    if (!csv || hasLooked.current) return;
    hasLooked.current = true;
    const saved = savedMapping(localStorage, csv);
    setRemembered(saved !== undefined);
    const isOpen = questionsOf(open).currency !== undefined;
    if (saved || isOpen) setMapping({ ...(isOpen ? { currency: base } : {}), ...saved });
  }, [csv, open, base]);
  return {
    read,
    options,
    mapping,
    isRemembered,
    chooseMapping: (next: Partial<CsvMapping>): void => {
      setMapping(next);
      setRemembered(false);
    },
    remember: ({ headers, mapping: used }: CsvPreview): void =>
      saveMapping(localStorage, {
        headers,
        mapping: keptMapping(used, mapping, { base, saved: savedMapping(localStorage, { headers }) }),
      }),
    currency,
    chooseCurrency: (next: string): void => setCurrency(next),
  };
}
