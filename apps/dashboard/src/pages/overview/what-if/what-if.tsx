import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../../../components/copy.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { SelectField } from '../../../components/field.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { Loaded } from '../../../components/states.tsx';
import { todayIn } from '../../../lib/zoned-time.ts';
import { useForecast, useOverviewQueries } from '../overview-queries.ts';
import { Answer, Changes, Comparison } from './answer.tsx';
import { ChangeForm } from './change-form.tsx';
import { type Change, formatChanges, MAX_CHANGES } from './changes.view.ts';
import { planOf, type Runway } from './what-if.view.ts';

/** As many as the service returns: cash may run out late. */
const MONTHS = 36;

interface WhatIfProps {
  /** The changes of the address. */
  text: string;
  /** Their currency. */
  currency: string | undefined;
}

/** The forecast with the changes of the address, beside the one without. */
export function WhatIf(props: WhatIfProps): React.JSX.Element {
  const navigate = useNavigate();
  const runway = useQuery(useOverviewQueries(useCompany().id).runway);
  return (
    <Dialog
      open
      // The changes stay in the address.
      onClose={() => void navigate({ to: '.', search: (now) => ({ ...now, what_if: undefined }), resetScroll: false })}
      title="What if?"
      description="Net burn stays at its average, apart from the changes that you add. Burn and monthly changes are spread evenly over the days, so a month of 31 days has more of both than one of 30."
      variant="side"
    >
      {/* It has the currencies, without which an amount may be taken for one of another. */}
      <Loaded query={runway} label="Loading the forecast" lines={6}>
        {(known) => <Plan {...props} runway={known} />}
      </Loaded>
    </Dialog>
  );
}

function Plan({ text, currency: wanted, runway }: WhatIfProps & { runway: Runway }): React.JSX.Element {
  const { id, timezone } = useCompany();
  const navigate = useNavigate();
  const { currencies, changes, isOfOther, ...plan } = planOf(runway, text, wanted);
  const before = useForecast(id, { ...plan, months: MONTHS, changes: [] });
  const after = useForecast(id, { ...plan, months: MONTHS, changes });
  const box = useFocusOnNext(changes.length);
  const today = todayIn(timezone);
  const show = (next: readonly Change[], changes_in: string): void =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, changes: next.length === 0 ? undefined : formatChanges(next), changes_in }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Loaded query={before} label="Loading the forecast" lines={6}>
      {({ currency, ...base }) =>
        currency === null ? (
          <p className="text-sm text-muted">The forecast needs a balance and one full month of transactions.</p>
        ) : (
          <div ref={box} className="flex flex-col gap-6">
            {!after.isError && (
              <Answer before={{ ...base, currency }} after={after.data} isOfOne={currencies.length > 1} />
            )}
            {isOfOther && (
              <p className="text-sm text-muted">
                The changes of this address are in {wanted}, in which this company has no forecast. They are left out.
              </p>
            )}
            {currencies.length > 1 && (
              <CurrencyField
                currencies={currencies}
                currency={currency}
                isFixed={changes.length > 0}
                onChange={(code) => show([], code)}
              />
            )}
            <Changes
              changes={changes}
              currency={currency}
              action={<CopyLink changes={changes} currency={currency} />}
              onRemove={(at) =>
                show(
                  changes.filter((_, i) => i !== at),
                  currency,
                )
              }
            />
            {changes.length < MAX_CHANGES && (
              <ChangeForm
                key={changes.length}
                currency={currency}
                month={today.slice(0, 7)}
                onAdd={(change) => show([...changes, change], currency)}
              />
            )}
            <Loaded query={after} label="Loading the forecast with the changes" lines={6}>
              {(changed) => <Comparison before={{ ...base, currency }} after={changed} today={today} />}
            </Loaded>
          </div>
        )
      }
    </Loaded>
  );
}

/** After a change was added or removed, the next one may be typed at once. */
function useFocusOnNext(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (before.current === count) return;
    before.current = count;
    // Without a form, the maximum is reached.
    const next = box.current?.querySelector<HTMLElement>('[name="label"]') ?? box.current?.querySelector('li button');
    if (next instanceof HTMLElement) next.focus();
  }, [count]);
  return box;
}

interface CurrencyFieldProps {
  currencies: readonly string[];
  currency: string;
  /** There are changes, whose amounts are in this currency. */
  isFixed: boolean;
  onChange: (currency: string) => void;
}

function CurrencyField({ currencies, currency, isFixed, onChange }: CurrencyFieldProps): React.JSX.Element {
  return (
    <SelectField
      label="Currency"
      hint={isFixed ? 'Remove the changes to choose another.' : 'Without a total, each currency is forecast by itself.'}
      value={currency}
      disabled={isFixed}
      className="max-w-60"
      onChange={({ target }) => onChange(target.value)}
    >
      {currencies.map((code) => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  );
}

function CopyLink({ changes, currency }: { changes: readonly Change[]; currency: string }): React.JSX.Element {
  const { id } = useCompany();
  const router = useRouter();
  const { href } = router.buildLocation({
    to: '/',
    search: {
      company: id,
      what_if: 'open',
      changes: formatChanges(changes),
      changes_in: currency,
    },
  });
  return <CopyButton text={new URL(href, globalThis.location.origin).href} label="Copy link" />;
}
