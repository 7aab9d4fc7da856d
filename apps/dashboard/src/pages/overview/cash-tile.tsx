import { useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { asOfText, cashCautions, sparkOf, spokenCash } from './cash-tile.view.ts';
import { FreshnessMark } from './freshness-mark.tsx';
import { Sparkline } from './sparkline.tsx';
import { BigFigure, Caution, Note, Tile } from './tile.tsx';
import { useCash } from './use-cash.ts';
import { useChangeSaid } from './use-change-said.ts';

type OnHand = Outputs['cash']['onHand'];

const HISTORY_DAYS = 90;

export function CashTile({ companyId, className }: { companyId: string; className?: string }): React.JSX.Element {
  return (
    <Tile
      title="Cash on hand"
      query={useCash(companyId)}
      className={className}
      actions={({ lines: [first] }) => first && <FreshnessMark grade={first.freshness} />}
    >
      {(cash) => <Cash cash={cash} companyId={companyId} />}
    </Tile>
  );
}

function Cash({ cash, companyId }: { cash: OnHand; companyId: string }): React.JSX.Element {
  const [headline, ...others] = cash.lines;
  const cautions = cashCautions(cash);
  const isDissolved = useCompany().status === 'dissolved';
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {useChangeSaid(spokenCash(cash))}
      </p>
      {headline === undefined ? (
        <>
          <BigFigure>–</BigFigure>
          <Note>
            {cash.excluded.length > 0
              ? 'All balances are excluded.'
              : isDissolved
                ? 'The company is dissolved and has no balances.'
                : 'No balance yet. Post one, or connect a bank.'}
          </Note>
        </>
      ) : (
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-72">
            <BigFigure>
              <ExactAmount
                cents={headline.balance_cents}
                digits={headline.balance_string}
                currency={headline.currency}
              />
            </BigFigure>
            <Note>{asOfText(headline)}</Note>
          </div>
          <CashSpark companyId={companyId} currency={headline.currency} />
        </div>
      )}
      {others.length > 0 && (
        <ul aria-label="Other currencies" className="mt-3 flex flex-col gap-1.5 border-t pt-3">
          {others.map((line) => (
            <li key={line.currency} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <ExactAmount
                cents={line.balance_cents}
                digits={line.balance_string}
                currency={line.currency}
                className="text-lg font-semibold"
              />
              <span className="flex flex-wrap items-baseline gap-x-3 text-xs text-muted">
                <span>
                  {line.currency} · {asOfText(line)}
                </span>
                <FreshnessMark grade={line.freshness} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {cautions.length > 0 && (
        <ul aria-label="About these figures" className="mt-3 flex flex-col gap-1.5">
          {cautions.map((text) => (
            <Caution key={text}>{text}</Caution>
          ))}
        </ul>
      )}
    </>
  );
}

/** Decorates the figure. If the read fails it renders nothing, and the plots below show the error. */
function CashSpark({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const trpc = useTRPC();
  const history = useQuery(trpc.cash.history.queryOptions({ company_id: companyId, days: HISTORY_DAYS }));
  const spark = history.data && sparkOf(history.data, currency);
  return (
    <div className="min-h-18 min-w-0 grow basis-40">
      {spark && spark.values.length > 1 && (
        <>
          <Sparkline {...spark} />
          <p className="mt-1 text-right text-xs text-muted">Last {spark.values.length} days</p>
        </>
      )}
    </div>
  );
}
