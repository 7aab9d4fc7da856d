import { useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { type BurnKind, barShares, baseCurrencyFirst, burnFigures, trendOf, windowText } from './burn-tiles.view.ts';
import { PACE_MS } from './pace.ts';
import { BigFigure, Note, SmallFigure, Tile } from './tile.tsx';

type BurnLine = Outputs['financials']['burn']['lines'][number];

const titles: Record<BurnKind, string> = { net: 'Net burn', gross: 'Gross burn' };
const meanings: Record<BurnKind, string> = { net: 'money out − money in', gross: 'money out' };

export function BurnTile({ companyId, kind }: { companyId: string; kind: BurnKind }): React.JSX.Element {
  const trpc = useTRPC();
  const { base_currency: base } = useCompany();
  const query = useQuery(trpc.financials.burn.queryOptions({ company_id: companyId }, { refetchInterval: PACE_MS }));
  return (
    <Tile title={titles[kind]} query={query}>
      {({ lines, window }) =>
        lines.length === 0 ? (
          <>
            <BigFigure>–</BigFigure>
            <Note>
              {window.length === 0
                ? 'Requires one full month of transactions. The current month is not counted.'
                : 'No money in or out in the averaged months.'}
            </Note>
          </>
        ) : (
          <div className="flex flex-col gap-4">
            {baseCurrencyFirst(lines, base).map((line, i) => (
              <Burn key={line.currency} line={line} kind={kind} isFirst={i === 0} window={window} />
            ))}
          </div>
        )
      }
    </Tile>
  );
}

function Burn({
  line,
  kind,
  isFirst,
  window,
}: {
  line: BurnLine;
  kind: BurnKind;
  isFirst: boolean;
  window: readonly string[];
}) {
  const { mean, least, most, months } = burnFigures(line, kind);
  const { currency } = line;
  const figure = <ExactAmount {...mean} currency={currency} />;
  const trend = trendOf(months);
  const gains = kind === 'net' && String(mean.digits ?? mean.cents ?? 0).startsWith('-');
  return (
    <div className={isFirst ? '' : 'border-t pt-3'}>
      {isFirst ? <BigFigure>{figure}</BigFigure> : <SmallFigure>{figure}</SmallFigure>}
      <Note>
        {gains ? 'More money in than out. ' : ''}
        {windowText(window)}, {meanings[kind]}
      </Note>
      <MonthBars months={months} currency={currency} />
      {trend !== undefined && (
        <p className="mt-2 text-xs text-muted">
          {trend}. Lowest <ExactAmount {...least} currency={currency} />, highest{' '}
          <ExactAmount {...most} currency={currency} />.
        </p>
      )}
    </div>
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
