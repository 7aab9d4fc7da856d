import { type FieldError, normalizeCurrency, type operations } from '@finhook/contracts';
import { exactCentsOf, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { computeForecast } from './compute-forecast.ts';
import { netBurnOf } from './compute-runway.ts';
import { BURN_MONTHS, monthOf } from './months.ts';
import { readBurn, readRunway } from './read-runway.ts';

type Op = typeof operations.financials.forecast;
type Change = NonNullable<InputOf<Op>['changes']>[number];

const MONTHS = 18;
const LEAD_MONTHS = 6;

export const getForecast: Verb<Op> = async (context, input) => {
  const view = await readBurn(context, input.company_id, { basis: input.basis_months ?? BURN_MONTHS });
  const changes = input.changes ?? [];
  const { today, companyId } = view.cash;
  rejectFields(changes.flatMap((change, i) => checkChange(change, `/changes/${i}`, monthOf(today))));
  const wanted = input.currency == null ? undefined : normalizeCurrency(input.currency);
  const { lead, inputs } = await readRunway(context, view);
  const line = wanted === undefined ? lead : inputs.find(({ currency }) => currency === wanted);
  const net = line && netBurnOf(line);
  if (line?.cash === undefined || net === undefined) return unknown(companyId);
  const { months, cashOutDate, runwayMonths, raiseByDate } = computeForecast({
    today,
    cash: line.cash,
    parts: line.parts,
    net,
    changes: changes.map(({ amount_cents, every, from, until }) => ({
      amount: BigInt(amount_cents),
      every,
      from,
      until: until ?? undefined,
    })),
    months: input.months ?? MONTHS,
    leadMonths: input.lead_months ?? LEAD_MONTHS,
  });
  return {
    object: 'forecast',
    company_id: companyId,
    currency: line.currency,
    ...exactCentsOf('base_net_burn', roundHalfEven(net)),
    months: months.map(({ month, change, closing }) => ({
      month,
      ...exactCentsOf('change', change),
      ...exactCentsOf('closing', closing),
    })),
    cash_out_date: cashOutDate,
    runway_months: runwayMonths,
    raise_by_date: raiseByDate,
  };
};

function unknown(company_id: string): OutputOf<Op> {
  const dates = { cash_out_date: null, runway_months: null, raise_by_date: null };
  return { object: 'forecast', company_id, currency: null, base_net_burn_cents: null, months: [], ...dates };
}

function checkChange({ every, from, until }: Change, pointer: string, current: string): FieldError[] {
  const errors: (FieldError | false)[] = [
    every === 'once' &&
      from < current && {
        pointer: `${pointer}/from`,
        code: 'date_out_of_range',
        message: `must not be before ${current}, because a payment of a past month is in the cash already; got ${from}`,
      },
    every === 'once' &&
      typeof until === 'string' && {
        pointer: `${pointer}/until`,
        code: 'not_applicable',
        message: 'must not be set for a change that happens once',
      },
    every === 'month' &&
      typeof until === 'string' &&
      until < from && {
        pointer: `${pointer}/until`,
        code: 'date_out_of_range',
        message: `must not be before ${from}, the first month; got ${until}`,
      },
  ];
  return errors.filter((error) => error !== false);
}
