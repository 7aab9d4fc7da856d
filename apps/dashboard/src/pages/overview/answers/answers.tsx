import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Button } from '../../../components/button.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { useChangeSettings } from '../../../operation/use-change-settings.ts';
import { useCash, useOverviewQueries, useSeriesName } from '../overview-queries.ts';
import { LargeInflow } from './large-inflow.tsx';
import { QuestionRow } from './question-row.tsx';
import { type Question, questionsOf } from './questions.view.ts';

const MOST_SHOWN = 3;

/** The questions about the data that a person has to answer. */
export function Answers({ questions }: { questions: readonly Question[] }): React.JSX.Element {
  const id = useId();
  const more = questions.length - MOST_SHOWN;
  return (
    <section aria-labelledby={id} className="pt-2">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="text-xs font-medium text-muted">
          Needs an answer
        </h3>
        <Link to="/data-quality" className="text-sm text-accent underline">
          {more > 0 ? `${more} more in data quality` : 'Data quality'}
        </Link>
      </header>
      <ul className="flex flex-col divide-y">
        {questions.slice(0, MOST_SHOWN).map((question) => (
          <QuestionItem key={question.id} question={question} />
        ))}
      </ul>
    </section>
  );
}

export function useQuestions(): Question[] {
  const { id } = useCompany();
  const queries = useOverviewQueries(id);
  const quality = useQuery(queries.dataQuality).data;
  const runway = useQuery(queries.runway).data;
  const cash = useCash(id).data;
  const months = useQuery(queries.monthly).data?.months;
  const nameOf = useSeriesName(id);
  if (quality === undefined || runway === undefined || cash === undefined || months === undefined) return [];
  return questionsOf({ quality, cash, headline: runway.headline, months, nameOf });
}

const links = { stale: 'View accounts', unexplained: 'View balances' } as const;

function QuestionItem({ question }: { question: Question }): React.JSX.Element {
  const { id, status } = useCompany();
  const may = usePermission();
  const update = useChangeSettings(id, { done: 'Saved. Figures are recalculated.' });
  const mayAnswer = may('financials.settings.update') && status !== 'dissolved';
  if (question.kind === 'inflow')
    return (
      <LargeInflow
        companyId={id}
        transactionId={question.transactionId}
        mayAnswer={mayAnswer && may('bank.transactions.update')}
      />
    );
  if (question.kind === 'transfers')
    return (
      <QuestionRow text={question.text}>
        <Link
          to="/transactions"
          search={{ month: question.month, counted_as: 'transfer' }}
          className="text-sm text-accent underline"
        >
          View transfers
        </Link>
      </QuestionRow>
    );
  if (question.kind === 'link')
    return (
      <QuestionRow text={question.text}>
        <Link to="/data-quality" search={{ tab: question.link }} className="text-sm text-accent underline">
          {links[question.link]}
        </Link>
      </QuestionRow>
    );
  return (
    <QuestionRow text={question.text}>
      {mayAnswer && (
        <div className="flex flex-wrap gap-2">
          {question.answers.map(({ label, change }) => (
            <Button key={label} size="small" busy={update.isPending} onClick={() => update.mutate(change)}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </QuestionRow>
  );
}
