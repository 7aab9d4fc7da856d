import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ExactAmount, Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { type Amount, bigOf } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { type BurnFigures, burnBefore, burnFigures, monthsText } from './burn.view.ts';
import { TransactionsLink } from './figure-link.tsx';
import { REFETCH_MS, useOverviewQueries } from './overview-queries.ts';
import type { RowFilter } from './rows.view.ts';
import { BigFigure, NoFigure, Note, Tile } from './tile.tsx';

/** Polling interval in ms while rules are applied: no event reports that they are. */
const SOON_MS = 5_000;

export function BurnPanel(): React.JSX.Element {
  const { id, base_currency: base } = useCompany();
  const queries = useOverviewQueries(id);
  const hasRules = (useQuery(queries.settings).data?.flow_rules.length ?? 0) > 0;
  const query = useQuery({
    ...queries.burn,
    refetchInterval: ({ state }) => (hasRules && state.data?.rules_applied_at === null ? SOON_MS : REFETCH_MS),
  });
  return (
    <Tile title="Net burn" query={query} className="md:col-span-2 xl:col-span-1">
      {(burn) =>
        burn.lines.length === 0 ? (
          <NoFigure>
            {burn.window.length === 0
              ? 'Requires one full month of transactions. The current month isn’t counted.'
              : 'No money in or out in these months.'}
          </NoFigure>
        ) : (
          <>
            {burnFigures(burn, base).map((figures, i) => (
              <Burn key={figures.currency} figures={figures} window={burn.window} isFirst={i === 0} />
            ))}
            {hasRules && burn.rules_applied_at === null && (
              <p role="status" className="mt-3 text-xs text-muted">
                New rules are being applied. Until that is done, the figures use the earlier rules.
              </p>
            )}
          </>
        )
      }
    </Tile>
  );
}

interface BurnProps {
  figures: BurnFigures;
  window: readonly string[];
  isFirst: boolean;
}

function Burn({ figures, window, isFirst }: BurnProps): React.JSX.Element {
  const { currency, rowsIn, net, moneyIn, moneyOut, last } = figures;
  const rowsOf = (months: readonly string[], direction?: RowFilter['direction']): RowFilter => ({
    months,
    currency: rowsIn,
    direction,
  });
  const { id } = useCompany();
  const monthly = useQuery(useOverviewQueries(id).monthly).data;
  const before = monthly && burnBefore(monthly, window, figures);
  const period = monthsText(window);
  return (
    <div className={isFirst ? '' : 'mt-3 border-t pt-3'}>
      <BigFigure>
        <TransactionsLink rows={rowsOf(window)} title={`Transactions of ${period}`}>
          <NetBurn amount={net} currency={currency} />
        </TransactionsLink>
      </BigFigure>
      <Note>
        a month, average of {period}
        {isSurplus(net) && ' · Cash-flow positive'}
      </Note>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2 text-sm md:grid-cols-4 xl:grid-cols-2">
        {last && (
          <Entry name={formatMonth(last.month)}>
            <Figure rows={rowsOf([last.month])}>
              <NetBurn amount={last.net} currency={currency} />
            </Figure>
          </Entry>
        )}
        {before && (
          <Entry name={`${monthsText(before.months)}, average`}>
            <Figure rows={rowsOf(before.months)}>
              <NetBurn amount={before.net} currency={currency} />
            </Figure>
          </Entry>
        )}
        <Entry name="Money in, average">
          <Figure rows={rowsOf(window, 'in')}>
            <ExactAmount {...moneyIn} currency={currency} />
          </Figure>
        </Entry>
        <Entry name="Money out, average">
          <Figure rows={rowsOf(window, 'out')}>
            <ExactAmount {...moneyOut} currency={currency} />
          </Figure>
        </Entry>
      </dl>
    </div>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }): React.JSX.Element {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere [&_span]:whitespace-normal">{children}</dd>
    </div>
  );
}

function Figure({ rows, children }: { rows: RowFilter; children: ReactNode }): React.JSX.Element {
  return (
    <TransactionsLink rows={rows} title={`Transactions of ${monthsText(rows.months)}`}>
      {children}
    </TransactionsLink>
  );
}

const isSurplus = ({ cents, digits }: Amount): boolean => bigOf(cents, digits) < 0n;

/** A negative burn is a surplus: `+€7,271.88`. */
function NetBurn({ amount, currency }: { amount: Amount; currency: string }): React.JSX.Element {
  if (!isSurplus(amount)) return <ExactAmount {...amount} currency={currency} />;
  return (
    <>
      +<Money cents={`${-bigOf(amount.cents, amount.digits)}`} currency={currency} />
    </>
  );
}
