import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/page.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { useCash, useOverviewQueries, useSeriesName } from '../overview-queries.ts';
import { type Question, questionsOf } from './questions.view.ts';

const MOST_SHOWN = 5;

/** What about the data needs a person; nothing if there is no doubt. */
export function AnswersPanel(): React.JSX.Element | null {
  const questions = useQuestions();
  if (questions.length === 0) return null;
  const more = questions.length - MOST_SHOWN;
  return (
    <Panel
      title="Needs an answer"
      actions={
        <Link to="/data-quality" className="text-sm text-accent underline">
          {more > 0 ? `${more} more in data quality` : 'Data quality'}
        </Link>
      }
    >
      <ul className="flex flex-col divide-y">
        {questions.slice(0, MOST_SHOWN).map((question) => (
          <QuestionItem key={question.id} question={question} />
        ))}
      </ul>
    </Panel>
  );
}

function useQuestions(): Question[] {
  const { id } = useCompany();
  const queries = useOverviewQueries(id);
  const quality = useQuery(queries.dataQuality).data;
  const runway = useQuery(queries.runway).data;
  const settings = useQuery(queries.settings).data;
  const cash = useCash(id).data;
  const nameOf = useSeriesName(id);
  if (quality === undefined || runway === undefined || settings === undefined || cash === undefined) return [];
  return questionsOf({ quality, cash, settings, headline: runway.headline, nameOf });
}

const links = { transfers: 'View transfers', stale: 'View accounts', unexplained: 'View balances' } as const;

function QuestionItem({ question: { text, answers, link } }: { question: Question }): React.JSX.Element {
  const { id, status } = useCompany();
  const may = usePermission();
  const update = useOperation('financials.settings.update', { done: 'Saved. Figures are recalculated.' });
  const mayAnswer = may('financials.settings.update') && status !== 'dissolved';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0">
      <p className="min-w-0 grow basis-64 text-sm wrap-anywhere">{text}</p>
      {mayAnswer && answers.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {answers.map(({ label, change }) => (
            <Button
              key={label}
              size="small"
              busy={update.isPending}
              onClick={() => update.mutate({ company_id: id, ...change })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {link !== undefined && (
        <Link to="/data-quality" search={{ tab: link }} className="text-sm text-accent underline">
          {links[link]}
        </Link>
      )}
    </li>
  );
}
