import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { Loaded, Loading } from '../../components/states.tsx';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { objectField } from '../../operation/object-field.tsx';
import { type FieldsOf, OperationForm } from '../../operation/operation-form.tsx';
import { useMissingRates } from '../overview/overview-queries.ts';
import { dayOfRates, firstRates, RATES_HASH, withMissing } from './rates.view.ts';

type Rates = Outputs['fxRates']['get'];

const labels = { base: 'Base currency', as_of: 'Day of the rates', source: 'Source' } as const;

interface FxRatesPanelProps {
  company: Pick<Company, 'id' | 'base_currency' | 'timezone'>;
  mayChange: boolean;
}

export function FxRatesPanel({ company, mayChange }: FxRatesPanelProps): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const query = useQuery(trpc.fxRates.get.queryOptions({}));
  const { missing, isFirstRead } = useMissingRates(company.id);
  return (
    <div id={RATES_HASH} className="min-w-0">
      <Panel title="Exchange rates">
        <p className="mb-4 text-muted">
          Totals of several currencies use these rates, in every company of your account, until the rates are seven days
          old.
        </p>
        <Loaded query={query} label="Loading rates">
          {(set) =>
            isFirstRead ? (
              <Loading label="Loading rates" />
            ) : mayChange ? (
              <KeepEdits of={set.account_id} value={{ set, missing }}>
                {(shown, release) => (
                  <FocusedByLink asked={shown.missing.join(' ')}>
                    <OperationForm
                      key={`${shown.set.updated_at} ${shown.missing.join(' ')}`}
                      operation="fxRates.put"
                      submit="Save rates"
                      done="Rates saved. Totals are recalculated."
                      {...formOf(shown.set, shown.missing, company)}
                      sendsAll
                      replaces={shown.set}
                      onDiscard={release}
                      onDone={(saved) => {
                        client.setQueryData(trpc.fxRates.get.queryKey({}), saved);
                        release();
                      }}
                    />
                  </FocusedByLink>
                )}
              </KeepEdits>
            ) : (
              <DescriptionList
                entries={[
                  [labels.base, set.base ?? 'No rates yet'],
                  [labels.as_of, set.as_of ?? '–'],
                  ...Object.entries(set.rates),
                  [labels.source, set.source ?? '–'],
                ]}
              />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

interface RatesForm {
  fixed: { base?: string };
  fields: FieldsOf<'fxRates.put'>;
  record: object | undefined;
}

/** The form of the stored rates; without any, that of the rates which the company lacks. */
function formOf(
  set: Rates,
  missing: readonly string[],
  { base_currency, timezone }: FxRatesPanelProps['company'],
): RatesForm {
  const today = todayIn(timezone);
  const as_of = { label: labels.as_of, initial: today };
  const source = { label: labels.source, hint: 'Such as ECB.', initial: '' };
  const first = set.base === null ? firstRates(missing, base_currency) : undefined;
  if (first !== undefined) {
    const parts = first.codes.map(
      (code) => [code, `1 ${first.base} in ${code}`, { required: true, inputMode: 'decimal' }] as const,
    );
    return {
      fixed: { base: first.base },
      fields: { rates: { ...objectField('rates', parts), label: 'Rates' }, as_of, source },
      record: undefined,
    };
  }
  return {
    fixed: {},
    fields: {
      base: { label: labels.base, hint: 'The rates are for one unit of it.', initial: base_currency },
      as_of,
      rates: { label: 'Rates', hint: 'One per line, such as USD: 1.0842.', initial: '' },
      source,
    },
    record:
      set.base === null ? undefined : { ...set, as_of: dayOfRates(set.as_of, today), rates: withMissing(set, missing) },
  };
}

interface FocusedByLinkProps {
  /** Empty if the form asks for nothing. */
  asked: string;
  children: ReactNode;
}

/** A link to the rates leads to the first one that is missing. */
function FocusedByLink({ asked, children }: FocusedByLinkProps): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isLinked = useLocation({ select: ({ hash }) => hash === RATES_HASH });
  useEffect(() => {
    if (isLinked && asked !== '') box.current?.querySelector<HTMLElement>('[name^="rates"]')?.focus();
  }, [isLinked, asked]);
  return <div ref={box}>{children}</div>;
}
