import type { Answers, CsvAnswers, CsvPreview, Question } from '@finhook/bank-files';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { ErrorState, Loading } from '../../components/states.tsx';
import { todayIn } from '../../lib/zoned-time.ts';
import type { FileSummary, ReadOptions } from './bank-file-reader.ts';
import { keptMapping, savedMapping, saveMapping } from './csv-mapping.view.ts';
import { CsvMappingPanel } from './csv-mapping-panel.tsx';
import { Destination } from './destination.tsx';
import { FileFacts, SampleRows } from './file-facts.tsx';
import { createFileWorker, type FileWorker } from './file-worker.ts';
import { answersOf, canCheck, type Given, listedQuestions, withAnswer, withoutConnection } from './import.view.ts';
import { QuestionsPanel } from './questions-panel.tsx';
import { CheckPanel, ImportedPanel } from './result-panels.tsx';
import { useImportRun } from './use-import-run.ts';

export interface ImportFileProps {
  id: string;
  file: File;
  onOther: () => void;
}

export function ImportFile({ id, file, onOther }: ImportFileProps): React.JSX.Element {
  const [worker] = useState(() => createFileWorker(file));
  useEffect(() => worker.close, [worker]);
  const read = useFile(id, worker);
  const { summary, mapping } = read;
  const check = useImportRun('import-check', worker);
  const run = useImportRun('bank.transactions.ingest', worker);
  const [destination, setDestination] = useState<Destined>({ connection: {} });
  useBlocker({
    shouldBlockFn: () => run.isPending && !confirm('Leave this page? The import stops. You can repeat it later.'),
    enableBeforeUnload: run.isPending,
  });
  const isRunning = run.isPending || run.error !== null || run.data !== undefined;
  const changed =
    <T extends unknown[]>(set: (...values: T) => void) =>
    (...values: T): void => {
      check.reset();
      set(...values);
    };
  const open = [...(summary?.questions ?? []), ...(check.data?.file.questions ?? [])];
  const startCheck = (given: Destined, keepSimilar = false): void => {
    setDestination(given);
    check.start(read.optionsWith(given), { keepSimilar });
  };
  return (
    <>
      <FilePanel file={file} read={read} isRunning={run.isPending} isDone={run.data !== undefined} onOther={onOther} />
      {summary?.csv && !isRunning && (
        <CsvMappingPanel
          preview={summary.csv}
          open={summary.questions}
          mapping={mapping}
          isRemembered={read.isRemembered}
          remembered={read.remembered}
          onChange={changed(read.chooseMapping)}
          onUseRemembered={changed(read.takeRemembered)}
        />
      )}
      {!isRunning && (
        <QuestionsPanel
          questions={listedQuestions(open, read.given, summary?.csv !== undefined)}
          onAnswer={changed(read.answer)}
        />
      )}
      {summary && summary.sample.length > 0 && !isRunning && <SampleRows rows={summary.sample} />}
      {summary && summary.accounts.length > 0 && canCheck(summary.questions) && !isRunning && (
        <Destination
          summary={summary}
          currency={read.currency}
          onCurrency={changed(read.chooseCurrency)}
          busy={check.isPending || read.isReading}
          onEdit={changed(read.dropConnection)}
          onCheck={(given) => {
            if (summary.csv) read.remember(summary.csv);
            startCheck(given);
          }}
        />
      )}
      {!isRunning && (
        <CheckPanel
          run={check}
          fileName={file.name}
          onImport={(checked) => run.start(checked.options, { keepSimilar: check.keepSimilar, checked })}
          onKeepSimilar={(keep) => startCheck(destination, keep)}
        />
      )}
      {isRunning && <ImportedPanel run={run} fileName={file.name} />}
    </>
  );
}

interface Destined {
  connection: Record<string, string>;
  source?: string;
}

interface FilePanelProps {
  file: File;
  read: ReturnType<typeof useFile>;
  isRunning: boolean;
  isDone: boolean;
  onOther: () => void;
}

function FilePanel({ file, read, isRunning, isDone, onOther }: FilePanelProps): React.JSX.Element {
  const { summary, error } = read;
  return (
    <Panel
      title={file.name}
      actions={
        !isRunning && (
          <Button size="small" onClick={onOther}>
            {isDone ? 'Import another file' : 'Choose another file'}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={read.refetch} />
      ) : summary === undefined ? (
        <Loading label="Reading the file" />
      ) : (
        <FileFacts summary={summary} size={file.size} isReading={read.isReading} />
      )}
      {summary?.error !== undefined && read.isAnswered && (
        <Button size="small" className="mt-3" onClick={read.startOver}>
          Start over without the answers
        </Button>
      )}
    </Panel>
  );
}

const guess: CsvAnswers = {};

function useFile(id: string, worker: FileWorker) {
  const { base_currency: baseCurrency, timezone: timeZone } = useCompany();
  const [mapping, setMapping] = useState(guess);
  const [isRemembered, setRemembered] = useState(false);
  const [given, setGiven] = useState<readonly Given[]>([]);
  const [currency, setCurrency] = useState<string>();
  const optionsWith = (destination: Partial<Answers>): ReadOptions => ({
    answers: answersOf({ csv: mapping, ...destination, ...(currency === undefined ? {} : { currency }) }, given),
    context: { timeZone, today: todayIn(timeZone), baseCurrency },
  });
  const options = optionsWith({});
  const read = useQuery<FileSummary>({
    queryKey: ['bank-file', id, options],
    queryFn: async () => worker.read(options),
    placeholderData: keepPreviousData,
    staleTime: 'static',
    // Invalidating all queries, as a reconnect does, must not read a failed file again.
    enabled: ({ state }) => state.status !== 'error',
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  });
  const csv = read.data?.csv;
  const remembered = csv && savedMapping(localStorage, csv);
  return {
    summary: read.data,
    error: read.error,
    isReading: read.isFetching,
    refetch: () => void read.refetch(),
    optionsWith,
    mapping,
    isRemembered,
    /** The mapping of the last file with the same columns, not yet confirmed. */
    remembered: isRemembered ? undefined : remembered,
    chooseMapping: (next: CsvAnswers): void => {
      setMapping(next);
      setRemembered(false);
    },
    takeRemembered: (): void => {
      if (remembered) setMapping(remembered);
      setRemembered(remembered !== undefined);
    },
    remember: ({ headers, mapping: used }: CsvPreview): void =>
      saveMapping(localStorage, { headers, mapping: keptMapping(used, mapping) }),
    given,
    answer: (question: Question, value: string): void => setGiven(withAnswer(given, question, value)),
    /** Typing a connection removes the answer that named it. */
    dropConnection: (key?: string): void => {
      if (key !== undefined) setGiven(withoutConnection(given, key));
    },
    isAnswered: given.length > 0 || Object.keys(mapping).length > 0,
    startOver: (): void => {
      setGiven([]);
      setMapping(guess);
    },
    currency,
    chooseCurrency: (next: string): void => setCurrency(next),
  };
}
