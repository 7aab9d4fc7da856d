import { useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { amountIn } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { type BurnKind, barShares, burnFigures, trendOf, windowText } from './burn-tiles.view.ts';
import { REFETCH_MS, useOverviewQueries } from './overview-queries.ts';
import { ByCurrency, NoFigure, Note, Tile } from './tile.tsx';

const burns = {
  net: { title: 'Net burn', meaning: 'Money out − money in' },
  gross: { title: 'Gross burn', meaning: 'Money out' },
} as const;

export function BurnTile({ kind }: { kind: BurnKind }): React.JSX.Element {
  const { id, base_currency: base } = useCompany();
  const query = useQuery({ ...useOverviewQueries(id).burn, refetchInterval: REFETCH_MS });
  const { title, meaning } = burns[kind];
  return (
    <Tile title={title} query={query}>
      {({ lines, window }) =>
        lines.length === 0 ? (
          <NoFigure>
            {window.length === 0
              ? 'Requires one full month of transactions. The current month is not counted.'
              : 'No money in or out in these months.'}
          </NoFigure>
        ) : (
          <ByCurrency
            lines={lines.map((line) => ({ ...burnFigures(line, kind), currency: line.currency }))}
            base={base}
            figure={({ mean, currency }) => <ExactAmount {...mean} currency={currency} />}
          >
            {({ mean, least, most, months, currency }) => (
              <>
                <Note>
                  {meaning} · {windowText(window)}
                  {kind === 'net' && String(mean.digits ?? mean.cents ?? 0).startsWith('-') && ' · More in than out'}
                </Note>
                <MonthBars months={months} currency={currency} />
                {months.length > 1 && (
                  <p className="mt-2 text-xs text-muted">
                    {trendOf(months)}. Lowest <ExactAmount {...least} currency={currency} />, highest{' '}
                    <ExactAmount {...most} currency={currency} />.
                  </p>
                )}
              </>
            )}
          </ByCurrency>
        )
      }
    </Tile>
  );
}

type Months = ReturnType<typeof burnFigures>['months'];

function MonthBars({ months, currency }: { months: Months; currency: string }): React.JSX.Element {
  const shares = barShares(months);
  return (
    <ul aria-label="By month" className="mt-3 flex flex-col gap-1.5">
      {months.map((month, i) => (
        <li key={month.month} className="text-xs">
          <span className="flex flex-wrap justify-between gap-x-2">
            <span className="text-muted">{formatMonth(month.month)}</span>
            <ExactAmount cents={month.cents} digits={month.digits} currency={currency} />
          </span>
          <span aria-hidden className="mt-0.5 block h-1.5 overflow-hidden rounded-full bg-sunken">
            <span
              className={`block h-full rounded-full ${(shares[i] ?? 0) < 0 ? 'bg-series-1' : 'bg-series-2'}`}
              style={{ width: `${Math.abs(shares[i] ?? 0)}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

const sides = {
  in: { title: 'Money in this month', excluded: 'transfers and financing' },
  out: { title: 'Money out this month', excluded: 'transfers' },
} as const;

export function MonthTile({ side }: { side: 'in' | 'out' }): React.JSX.Element {
  const { id, base_currency: base, timezone } = useCompany();
  const query = useQuery({ ...useOverviewQueries(id).monthly, refetchInterval: REFETCH_MS });
  return (
    <Tile title={sides[side].title} query={query}>
      {({ months }) => {
        const month = months.at(-1);
        if (month === undefined || month.flows.length === 0)
          return <NoFigure>No transactions this month yet.</NoFigure>;
        return (
          <>
            <ByCurrency
              lines={month.flows}
              base={base}
              figure={(flow) => <ExactAmount {...amountIn(flow, `money_${side}`)} currency={flow.currency} />}
            >
              {(flow) => {
                const excluded = amountIn(flow, `excluded_${side}`);
                if (excluded.cents === 0) return null;
                return (
                  <Note>
                    Excludes <ExactAmount {...excluded} currency={flow.currency} /> of {sides[side].excluded}
                  </Note>
                );
              }}
            </ByCurrency>
            <Note>
              {formatMonth(month.month)} to date · {timezone}
            </Note>
          </>
        );
      }}
    </Tile>
  );
}
