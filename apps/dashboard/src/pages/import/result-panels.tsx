import { isSkipped, skippedRowsCsv } from '@finhook/bank-files';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { plural } from '../../lib/text.ts';
import type { FileSummary } from './bank-file-reader.ts';
import { balanceWords, importLabel, reportName, splitProblems, type Tally, tallyOf } from './import.view.ts';
import { TextList } from './text-list.tsx';
import type { Run } from './use-import-run.ts';

interface ResultProps {
  run: Run;
  summary: FileSummary;
  fileName: string;
}

/** The panel appears below what was pressed, perhaps below the fold. */
const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The dry run: its progress, its result, and the button that imports. */
export function CheckPanel({ run, summary, fileName, onImport }: ResultProps & { onImport: () => void }): ReactNode {
  if (!run.isPending && !run.error && !run.data) return null;
  return (
    <div ref={reveal}>
      <Panel title="Check">
        <div className="flex flex-col gap-4">
          <Progress run={run} label="Checking the rows" />
          {run.data && (
            <CheckResult tally={tallyOf(run.data)} summary={summary} fileName={fileName} onImport={onImport} />
          )}
        </div>
      </Panel>
    </div>
  );
}

function CheckResult({
  tally,
  summary,
  fileName,
  onImport,
}: ReportProps & { onImport: () => void }): React.JSX.Element {
  const { inserted, known } = tally;
  const label = importLabel(tally);
  return (
    <>
      <p role="status" className="text-sm">
        {label === undefined && known > 0
          ? 'Everything in this file is already stored. Nothing is left to import.'
          : label === undefined
            ? 'Nothing in this file can be imported.'
            : 'Nothing is stored yet.'}
        {label !== undefined &&
          known > 0 &&
          ` ${plural(known, 'row')} are already stored and will not be stored twice.`}
      </p>
      <Counts tally={tally} summary={summary} />
      <Messages tally={tally} />
      <div className="flex flex-wrap justify-end gap-2">
        <ReportButton tally={tally} summary={summary} fileName={fileName} />
        {label !== undefined && (
          <Button variant="primary" onClick={onImport}>
            {label}
          </Button>
        )}
      </div>
      {inserted === 0 && label !== undefined && <p className="text-sm text-muted">Only balances are new.</p>}
    </>
  );
}

/** The import: its progress, what was stored, and the report. */
export function ImportedPanel({ run, summary, fileName }: ResultProps): React.JSX.Element {
  const tally = run.data && tallyOf(run.data);
  return (
    <div ref={reveal}>
      <Panel title={tally ? 'Imported' : 'Import'}>
        <div className="flex flex-col gap-4">
          <Progress run={run} label="Importing the rows" />
          {tally && (
            <>
              <p role="status" className="text-sm">
                {plural(tally.inserted, 'row')} stored.
                {tally.known > 0 && ` ${plural(tally.known, 'row')} had been stored before and were not stored twice.`}
              </p>
              <Counts tally={tally} summary={summary} isStored />
              <Messages tally={tally} />
              <div className="flex flex-wrap justify-end gap-2">
                <ReportButton tally={tally} summary={summary} fileName={fileName} />
                <Link to="/transactions" className={buttonClass('primary')}>
                  View transactions
                </Link>
              </div>
            </>
          )}
        </div>
      </Panel>
    </div>
  );
}

function Progress({ run, label }: { run: Run; label: string }): ReactNode {
  const { done, total, error, isPending, resume } = run;
  if (error) {
    return (
      <div className="flex flex-col gap-2">
        <p className="text-sm">
          Stopped after {done} of {plural(total, 'request')}. Try again to go on from there: nothing is stored twice.
        </p>
        <ErrorState error={error} onRetry={resume} />
      </div>
    );
  }
  if (!isPending) return null;
  return (
    <div>
      <p className="mb-2 text-sm text-muted">
        {label}: {done} of {plural(total, 'request')}
      </p>
      <progress aria-label={label} value={done} max={total} className="h-2 w-full accent-accent" />
    </div>
  );
}

interface CountsProps {
  tally: Tally;
  summary: FileSummary;
  isStored?: boolean;
}

function Counts({ tally, summary, isStored = false }: CountsProps): React.JSX.Element {
  const leftOut = splitProblems(summary.problems).rows.length;
  return (
    <DescriptionList
      entries={[
        ['To import', isStored ? null : plural(tally.inserted, 'row')],
        ['Already stored', tally.known > 0 ? plural(tally.known, 'row') : null],
        ['Rejected', tally.invalid > 0 ? plural(tally.invalid, 'row') : null],
        ['Left out', leftOut > 0 ? plural(leftOut, 'row') : null],
        ...tally.totals.flatMap(
          ({ currency, in: into, out }) =>
            [
              [`Money in (${currency})`, <Money key="in" cents={into} currency={currency} />],
              [`Money out (${currency})`, <Money key="out" cents={out} currency={currency} />],
            ] as const,
        ),
        ['Balances', balanceWords(tally.balances, isStored)],
      ]}
    />
  );
}

function Messages({ tally }: { tally: Tally }): React.JSX.Element {
  return (
    <>
      <TextList tone="warn" title="Check this" texts={tally.warnings} />
      <TextList
        tone="bad"
        title="Rejected rows"
        texts={tally.faults.map(({ line, reason }) => `Line ${line}: ${reason}.`)}
      />
      <TextList
        tone="bad"
        title="Rejected balances"
        texts={tally.balances.rejected.map(({ day, reason }) => `${day}: ${reason}.`)}
      />
    </>
  );
}

interface ReportProps {
  tally: Tally;
  summary: FileSummary;
  fileName: string;
}

function ReportButton({ tally, summary, fileName }: ReportProps): ReactNode {
  const skipped = [...tally.faults, ...tally.duplicates];
  if (skipped.length === 0 && !summary.problems.some(isSkipped)) return null;
  return (
    <Button
      onClick={() => download(reportName(fileName), skippedRowsCsv({ problems: [...summary.problems] }, skipped))}
    >
      Download skipped rows
    </Button>
  );
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
