import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SelectField } from '../../../components/field.tsx';
import type { Company } from '../../../components/shell/company-context.ts';
import { baseCurrencyFirst } from '../burn-tiles.view.ts';
import { useOverviewQueries } from '../overview-queries.ts';
import { BalancePlot } from './balance-plot.tsx';
import { FreshnessPlot } from './freshness-plot.tsx';
import { LatencyPlot } from './latency-plot.tsx';
import { MonthlyPlot } from './monthly-plot.tsx';
import { ProjectionPlot } from './projection-plot.tsx';
import { StatementPlot } from './statement-plot.tsx';

export function Plots({ company }: { company: Company }): React.JSX.Element {
  const currencies = useCurrencies(company);
  const { currency: wanted } = useSearch({ from: '/shell/company/' });
  const currency = currencies.find((known) => known === wanted) ?? currencies[0] ?? company.base_currency;
  return (
    <div className="flex flex-col gap-4">
      {currencies.length > 1 && <CurrencyChoice currencies={currencies} currency={currency} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <BalancePlot companyId={company.id} currency={currency} />
        <MonthlyPlot companyId={company.id} currency={currency} />
        <ProjectionPlot companyId={company.id} currency={currency} />
        <StatementPlot companyId={company.id} currency={currency} type="income" />
        <StatementPlot companyId={company.id} currency={currency} type="cashflow" />
        <LatencyPlot />
        <FreshnessPlot companyId={company.id} />
      </div>
    </div>
  );
}

function useCurrencies(company: Company): string[] {
  const queries = useOverviewQueries(company.id);
  const history = useQuery(queries.history);
  const monthly = useQuery(queries.monthly);
  const flows = monthly.data?.months.flatMap((month) => month.flows) ?? [];
  const seen = new Map([...(history.data?.lines ?? []), ...flows].map(({ currency }) => [currency, { currency }]));
  return baseCurrencyFirst([...seen.values()], company.base_currency).map(({ currency }) => currency);
}

function CurrencyChoice({ currencies, currency }: { currencies: readonly string[]; currency: string }) {
  const navigate = useNavigate();
  return (
    <SelectField
      label="Chart currency"
      className="max-w-60"
      value={currency}
      onChange={({ target }) =>
        void navigate({ to: '.', search: (search) => ({ ...search, currency: target.value }), replace: true })
      }
    >
      {currencies.map((code) => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  );
}
