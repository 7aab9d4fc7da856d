import type { FileTransaction } from '@finhook/bank-files';
import { DescriptionList } from '../../components/description-list.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { Day } from '../../components/time.tsx';
import { plural, visibleText } from '../../lib/text.ts';
import { localOf } from '../../lib/zoned-time.ts';
import type { AccountSummary, FileSummary } from './bank-file-reader.ts';
import { canCheck, formatNames, kindNames, messageText, sizeText, splitProblems } from './import.view.ts';

interface FileFactsProps {
  summary: FileSummary;
  size: number;
  /** The summary is of the previous choices. */
  isReading: boolean;
}

export function FileFacts({ summary, size, isReading }: FileFactsProps): React.JSX.Element {
  const { format, encoding, accounts, problems, error, questions } = summary;
  if (error !== undefined) {
    return (
      <div role="alert" className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
        <p className="font-medium">The file can’t be read. Nothing was stored.</p>
        <p className="wrap-anywhere">{error}.</p>
      </div>
    );
  }
  const { rows, others } = splitProblems(problems);
  const isOpen = !canCheck(questions);
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className={isReading ? 'animate-late text-sm text-muted' : 'sr-only'}>
        {isReading && 'Reading the file…'}
      </p>
      <DescriptionList
        entries={[
          ['Format', `${formatNames[format]} · ${encoding} · ${sizeText(size)}`],
          ...accounts.flatMap(accountEntries),
        ]}
      />
      {accounts.length === 0 && !isOpen && (
        <p className="text-sm">The file contains no transactions and no balances.</p>
      )}
      {isOpen && <p className="text-sm">Answer the questions below first.</p>}
      <TextList tone="warn" title={`${plural(rows.length, 'row')} left out`} texts={rows.map(messageText)} />
      <TextList tone="warn" title="Check this" texts={others.map(messageText)} />
    </div>
  );
}

function accountEntries({ account, currency, kind, rows, balances, period }: AccountSummary) {
  const counts = [rows > 0 && plural(rows, 'row'), balances > 0 && plural(balances, 'balance')].filter(
    (part) => part !== false,
  );
  return [
    ['Account', `${account === '' ? 'Not named in the file' : account} · ${currency}`],
    ['Kind', kind && kindNames[kind]],
    ['Contents', counts.join(', ') || 'Empty'],
    [
      'Period',
      period && (
        <>
          <Day day={period[0]} />
          {period[0] !== period[1] && (
            <>
              {' '}
              – <Day day={period[1]} />
            </>
          )}
        </>
      ),
    ],
  ] as const;
}

export function SampleRows({ rows }: { rows: readonly FileTransaction[] }): React.JSX.Element {
  const zone = useZone();
  return (
    <Panel title="First rows as they will be stored" flush>
      <SimpleTable
        label="First rows as they will be stored"
        rows={rows}
        keyOf={({ line, amount_cents, currency }) => `${line} ${amount_cents} ${currency}`}
        empty={null}
        columns={[
          { title: 'Day', cell: ({ posted_at }) => <Day day={localOf(posted_at, zone).slice(0, 10)} /> },
          { title: 'Description', cell: ({ description }) => description || '–' },
          { title: 'Vendor', wide: true, cell: ({ counterparty }) => counterparty ?? '–' },
          { title: 'Category', wide: true, cell: ({ category }) => category ?? '–' },
          {
            title: 'Amount',
            align: 'end',
            cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} coloured />,
          },
        ]}
      />
    </Panel>
  );
}

const SHOWN = 5;
const tones = { warn: 'border-warn bg-warn-soft text-warn', bad: 'border-bad bg-bad-soft text-bad' };

export interface TextListProps {
  tone: keyof typeof tones;
  title: string;
  texts: readonly string[];
}

export function TextList({ tone, title, texts }: TextListProps): React.JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <div className={`rounded-md border p-3 text-sm ${tones[tone]}`}>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {texts.slice(0, SHOWN).map((text) => (
          <li key={text}>{visibleText(text)}</li>
        ))}
      </ul>
      {texts.length > SHOWN && <p className="mt-1">and {plural(texts.length - SHOWN, 'more', 'more')}</p>}
    </div>
  );
}
