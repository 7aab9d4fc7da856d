import { type ImportReport, reportOf, skippedRowsCsv } from '@finhook/bank-files';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { CheckField } from '../../components/field.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { plural } from '../../lib/text.ts';
import { TextList } from './file-facts.tsx';
import {
  balanceWords,
  connectionEntries,
  importLabel,
  messageText,
  rowsAre,
  rowsWere,
  skippedName,
} from './import.view.ts';
import type { Run, Sent } from './use-import-run.ts';

const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

interface CheckPanelProps {
  run: Run;
  fileName: string;
  onImport: (checked: Sent) => void;
  onKeepSimilar: (keep: boolean) => void;
}

export function CheckPanel({ run, ...rest }: CheckPanelProps): ReactNode {
  if (!run.isPending && !run.error && !run.data) return null;
  return (
    <div ref={reveal}>
      <Panel title="Check">
        <div className="flex flex-col gap-4">
          <Progress run={run} label="Checking the rows" />
          {run.data && <CheckResult run={run} sent={run.data} {...rest} />}
        </div>
      </Panel>
    </div>
  );
}

function CheckResult({ run, sent, fileName, onImport, onKeepSimilar }: CheckPanelProps & { sent: Sent }) {
  const report = reportOf(sent.file, sent.outcomes, sent.missing);
  const { stored, stored_before: known, probably_known: similar } = report;
  const label = importLabel(report);
  if (sent.file.questions.length > 0) {
    return (
      <p role="status" className="text-sm">
        Nothing is stored yet. Answer the questions above, and check the file again.
      </p>
    );
  }
  return (
    <>
      <p role="status" className="text-sm">
        {label === undefined && known > 0
          ? 'Everything in this file is already stored. Nothing is left to import.'
          : label === undefined
            ? 'Nothing in this file can be imported.'
            : 'Nothing is stored yet.'}
        {label !== undefined && known > 0 && ` ${rowsAre(known)} already stored and will not be stored twice.`}
      </p>
      <Counts report={report} sent={sent} isStored={false} />
      <Messages report={report} />
      {(similar > 0 || run.keepSimilar) && (
        <CheckField
          label="Also store the rows that are probably already stored"
          hint="For each of them, a stored row has the same day and amount, but another text."
          checked={run.keepSimilar}
          onChange={({ target }) => onKeepSimilar(target.checked)}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <SkippedButton sent={sent} fileName={fileName} />
        {label !== undefined && (
          <Button variant="primary" onClick={() => onImport(sent)}>
            {label}
          </Button>
        )}
      </div>
      {stored === 0 && label !== undefined && <p className="text-sm text-muted">Only balances are new.</p>}
    </>
  );
}

export function ImportedPanel({ run, fileName }: { run: Run; fileName: string }): React.JSX.Element {
  const sent = run.data;
  const report = sent && reportOf(sent.file, sent.outcomes, sent.missing);
  return (
    <div ref={reveal}>
      <Panel title={report ? 'Imported' : 'Import'}>
        <div className="flex flex-col gap-4">
          <Progress run={run} label="Importing the rows" />
          {report && (
            <>
              <p role="status" className="text-sm">
                {plural(report.stored, 'row')} stored.
                {report.stored_before > 0 && ` ${rowsWere(report.stored_before)} stored before and not stored twice.`}
              </p>
              <Counts report={report} sent={sent} isStored />
              <Messages report={report} />
              <div className="flex flex-wrap justify-end gap-2">
                <SkippedButton sent={sent} fileName={fileName} />
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
          Stopped after {done} of {plural(total, 'request')}. Try again to continue from there. Nothing is stored twice.
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
      <progress aria-label={label} value={done} max={Math.max(total, 1)} className="h-2 w-full accent-accent" />
    </div>
  );
}

function Counts({
  report,
  sent,
  isStored,
}: {
  report: ImportReport;
  sent: Sent;
  isStored: boolean;
}): React.JSX.Element {
  const { stored, stored_before, probably_known, skipped, totals } = report;
  return (
    <DescriptionList
      entries={[
        ...connectionEntries(sent.file.accounts),
        ['To import', isStored ? null : plural(stored, 'row')],
        ['Already stored', stored_before > 0 ? plural(stored_before, 'row') : null],
        ['Probably already stored', probably_known > 0 ? plural(probably_known, 'row') : null],
        ['Left out', skipped > 0 ? plural(skipped, 'row') : null],
        ...totals.flatMap(
          ({ currency, in: into, out }) =>
            [
              [`Money in (${currency})`, <Money key="in" cents={into} currency={currency} />],
              [`Money out (${currency})`, <Money key="out" cents={out} currency={currency} />],
            ] as const,
        ),
        ['Balances', balanceWords(report, isStored)],
      ]}
    />
  );
}

function Messages({ report: { messages } }: { report: ImportReport }): React.JSX.Element {
  const textsOf = (level: (typeof messages)[number]['level']): string[] =>
    messages.filter((message) => message.level === level).map(messageText);
  return (
    <>
      <TextList tone="bad" title="Left out" texts={textsOf('loss')} />
      <TextList tone="warn" title="Check this" texts={textsOf('warning')} />
      <TextList tone="warn" title="Notes" texts={textsOf('note')} />
    </>
  );
}

function SkippedButton({ sent, fileName }: { sent: Sent; fileName: string }): ReactNode {
  const text = skippedRowsCsv(sent.file.problems, sent.outcomes);
  if (text === '') return null;
  return <Button onClick={() => download(skippedName(fileName), text)}>Download skipped rows</Button>;
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
