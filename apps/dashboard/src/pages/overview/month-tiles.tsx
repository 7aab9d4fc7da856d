import { useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { baseCurrencyFirst } from './base-currency-first.ts';
import { MONTHS_SHOWN } from './months-shown.ts';
import { PACE_MS } from './pace.ts';
import { BigFigure, Note, SmallFigure, Tile } from './tile.tsx';

type Month = Outputs['financials']['monthly']['months'][number];
type Side = 'in' | 'out';

const titles: Record<Side, string> = { in: 'Money in this month', out: 'Money out this month' };

export function MonthTile({ company, side }: { company: Company; side: Side }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.financials.monthly.queryOptions(
      { company_id: company.id, months: MONTHS_SHOWN },
      { refetchInterval: PACE_MS },
    ),
  );
  return (
    <Tile title={titles[side]} query={query}>
      {({ months }) => <MonthFigures month={months.at(-1)} company={company} side={side} />}
    </Tile>
  );
}

function MonthFigures({
  month,
  company,
  side,
}: {
  month: Month | undefined;
  company: Company;
  side: Side;
}): React.JSX.Element {
  if (month === undefined || month.flows.length === 0) {
    return (
      <>
        <BigFigure>–</BigFigure>
        <Note>No transactions this month yet.</Note>
      </>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {baseCurrencyFirst(month.flows, company.base_currency).map((flow, i) => (
        <div key={flow.currency} className={i === 0 ? '' : 'border-t pt-3'}>
          {i === 0 ? (
            <BigFigure>
              <SideAmount flow={flow} side={side} />
            </BigFigure>
          ) : (
            <SmallFigure>
              <SideAmount flow={flow} side={side} />
            </SmallFigure>
          )}
          <LeftOut flow={flow} side={side} />
        </div>
      ))}
      <Note>
        {formatMonth(month.month)} to date, in {company.timezone}
      </Note>
    </div>
  );
}

type Flow = Month['flows'][number];

function SideAmount({ flow, side }: { flow: Flow; side: Side }): React.JSX.Element {
  return side === 'in' ? (
    <ExactAmount cents={flow.money_in_cents} digits={flow.money_in_string} currency={flow.currency} />
  ) : (
    <ExactAmount cents={flow.money_out_cents} digits={flow.money_out_string} currency={flow.currency} />
  );
}

function LeftOut({ flow, side }: { flow: Flow; side: Side }): React.JSX.Element | null {
  const [cents, digits] =
    side === 'in'
      ? [flow.excluded_in_cents, flow.excluded_in_string]
      : [flow.excluded_out_cents, flow.excluded_out_string];
  if (cents === 0) return null;
  return (
    <Note>
      Excludes <ExactAmount cents={cents} digits={digits} currency={flow.currency} /> of transfers
      {side === 'in' && ' and financing'}
    </Note>
  );
}
