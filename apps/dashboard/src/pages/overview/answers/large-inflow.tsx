import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Money } from '../../../components/money.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { Day } from '../../../components/time.tsx';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { localOf } from '../../../lib/zoned-time.ts';
import { useChangeSettings } from '../../../operation/use-change-settings.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { MOST_RULES, ruleText, withRule } from '../../transactions/flow-rules.view.ts';
import { opensRows } from '../figure-link.tsx';
import { useOverviewQueries } from '../overview-queries.ts';
import { QuestionRow } from './question-row.tsx';
import { largeInflowIds } from './questions.view.ts';

type Transaction = Outputs['bank']['transactions']['get'];

/** The reads of all large inflows, whose questions would push the figures down later. */
export function useLargeInflows(company_id: string) {
  const { bank } = useTRPC();
  const { data } = useQuery(useOverviewQueries(company_id).dataQuality);
  const ids = data === undefined ? [] : largeInflowIds(data);
  return useQueries({
    queries: ids.map((transaction_id) => bank.transactions.get.queryOptions({ company_id, transaction_id })),
  });
}

interface LargeInflowProps {
  companyId: string;
  transactionId: string;
  mayAnswer: boolean;
}

/** Money in that counts as no income until somebody says what it was. */
export function LargeInflow({ companyId, transactionId, mayAnswer }: LargeInflowProps): React.JSX.Element | null {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.bank.transactions.get.queryOptions({ company_id: companyId, transaction_id: transactionId }),
  );
  if (data === undefined) return null;
  return <QuestionRow text={<Inflow transaction={data} />}>{mayAnswer && <Answers transaction={data} />}</QuestionRow>;
}

function Inflow({ transaction: { id, amount_cents, currency, counterparty, description, posted_at } }: AnswersProps) {
  const { timezone } = useCompany();
  const from = counterparty ?? description;
  return (
    <>
      What was{' '}
      <Link to="/transactions" search={{ open: id }} className={opensRows}>
        <Money cents={amount_cents} currency={currency} />
      </Link>
      {from !== '' && (
        <>
          {' '}
          from <bdi>{from}</bdi>
        </>
      )}{' '}
      on <Day day={localOf(posted_at, timezone).slice(0, 10)} />? It is far more than usual, and doesn’t count as income
      until you say so.
    </>
  );
}

const classes = [
  ['financing', 'Financing'],
  ['transfer', 'Transfer'],
  ['counted', 'Income'],
] as const;

interface AnswersProps {
  transaction: Transaction;
}

function Answers({ transaction }: AnswersProps): React.JSX.Element {
  const { id, company_id } = transaction;
  const boxId = useId();
  const [always, setAlways] = useState(false);
  const settings = useQuery(useOverviewQueries(company_id).settings).data;
  const classify = useOperation('bank.transactions.update', { done: 'Saved. Figures are recalculated.' });
  const addRule = useChangeSettings(company_id, {});
  const contains = ruleText(transaction);
  const mayRule = contains !== undefined && settings !== undefined && settings.flow_rules.length < MOST_RULES;
  const answer = (flow_class: (typeof classes)[number][0]): void => {
    classify.mutate({ company_id, transaction_id: id, flow_class });
    // The transaction is answered for at once; the rule is for those to come.
    if (always && mayRule) addRule.mutate((stored) => withRule(stored, { contains, direction: 'in', flow_class }));
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {classes.map(([flowClass, label]) => (
          <Button key={flowClass} size="small" busy={classify.isPending} onClick={() => answer(flowClass)}>
            {label}
          </Button>
        ))}
      </div>
      {mayRule && (
        <label htmlFor={boxId} className="flex items-start gap-2 text-xs text-muted">
          <input
            id={boxId}
            type="checkbox"
            checked={always}
            onChange={({ target }) => setAlways(target.checked)}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="max-w-60 wrap-anywhere">Always for “{contains}”</span>
        </label>
      )}
    </div>
  );
}
