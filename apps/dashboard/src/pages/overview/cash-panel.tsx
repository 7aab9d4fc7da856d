import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ExactAmount, Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { amountIn } from '../../lib/exact-cents.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import {
  asOfText,
  CHANGE_DAYS,
  cashCautions,
  cashChange,
  mainCash,
  noCashText,
  nonDepositoryBalances,
  otherCash,
  spokenCash,
} from './cash.view.ts';
import { sumIn } from './convert.view.ts';
import { BalancesLink } from './figure-link.tsx';
import { useCash, useOverviewQueries } from './overview-queries.ts';
import { BigFigure, NoFigure, Note, Tile } from './tile.tsx';

type OnHand = Outputs['cash']['onHand'];
type CashLine = OnHand['lines'][number];

export function CashPanel(): React.JSX.Element {
  const { id } = useCompany();
  return (
    <Tile title="Cash on hand" query={useCash(id)}>
      {(cash) => <Cash cash={cash} />}
    </Tile>
  );
}

function Cash({ cash }: { cash: OnHand }): React.JSX.Element {
  const { id, status } = useCompany();
  const cautions = cashCautions(cash, useConnectionNames(id));
  const isDissolved = status === 'dissolved';
  const main = mainCash(cash);
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {useChange(spokenCash(cash))}
      </p>
      {main === undefined ? (
        <NoFigure>{noCashText(cash.excluded.length > 0, isDissolved)}</NoFigure>
      ) : (
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
          <MainCash cash={cash} line={main} />
          <Beside cash={cash} />
        </div>
      )}
      <OtherLines lines={otherCash(cash)} />
      {cautions.length > 0 && (
        <ul aria-label="Notes" className="mt-3 flex flex-col gap-2">
          {cautions.map((text) => (
            <li key={text} className="rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function MainCash({ cash, line }: { cash: OnHand; line: CashLine }): React.JSX.Element {
  const isOneCurrency = cash.total === null || cash.lines.length === 1;
  return (
    <div className="min-w-0 grow basis-64">
      <BigFigure>
        <BalancesLink currency={isOneCurrency ? line.currency : undefined} title="The newest balance of each account">
          <ExactAmount {...amountIn(line, 'balance')} currency={line.currency} />
        </BalancesLink>
      </BigFigure>
      <Note>
        {isOneCurrency ? <Change currency={line.currency} /> : <TotalChange cash={cash} />}
        {asOfText(line)}
      </Note>
    </div>
  );
}

function Change({ currency }: { currency: string }): React.JSX.Element | null {
  const { id } = useCompany();
  const { data } = useQuery(useOverviewQueries(id).history);
  return <ChangeText change={data && cashChange(data, currency)} currency={currency} />;
}

/** The change of several currencies at the current rates, as the total is. */
function TotalChange({ cash: { lines, total } }: { cash: OnHand }): React.JSX.Element | null {
  const { id } = useCompany();
  const trpc = useTRPC();
  const { data } = useQuery(useOverviewQueries(id).history);
  const rates = useQuery(trpc.fxRates.get.queryOptions({})).data;
  if (data === undefined || rates === undefined || total === null) return null;
  const changes = lines.flatMap(({ currency }) => {
    const amount = cashChange(data, currency);
    return amount === undefined ? [] : [{ amount, currency }];
  });
  if (changes.length < lines.length) return null;
  return <ChangeText change={sumIn(total.currency, changes, rates)} currency={total.currency} />;
}

function ChangeText({ change, currency }: { change: bigint | undefined; currency: string }) {
  if (change === undefined) return null;
  return (
    <>
      <span className="font-medium text-text">
        {change > 0n && '+'}
        <Money cents={`${change}`} currency={currency} />
      </span>{' '}
      in {CHANGE_DAYS} days{' · '}
    </>
  );
}

function OtherLines({ lines }: { lines: readonly CashLine[] }): React.JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <ul aria-label="By currency" className="mt-3 flex flex-col gap-2 border-t pt-3">
      {lines.map((line) => (
        <li key={line.currency} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <BalancesLink currency={line.currency} title={`The newest balance of each account in ${line.currency}`}>
            <ExactAmount {...amountIn(line, 'balance')} currency={line.currency} className="font-semibold" />
          </BalancesLink>
          <span className="text-xs text-muted">
            <Change currency={line.currency} />
            {line.currency} · {asOfText(line)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Beside({ cash }: { cash: OnHand }): React.JSX.Element | null {
  const entries = nonDepositoryBalances(cash);
  if (entries.length === 0) return null;
  return (
    <dl className="flex min-w-0 grow basis-52 flex-col gap-1 text-sm">
      {entries.map(({ name, note, currency, cents, digits }) => (
        <div key={`${name} ${currency}`} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-muted">
            {name} <span className="text-xs">({note})</span>
          </dt>
          <dd>
            <BalancesLink currency={currency} title={`${name}: the newest balance of each account`}>
              <ExactAmount cents={cents} digits={digits} currency={currency} />
            </BalancesLink>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The text once it changed; empty before, so that a screen reader announces only changes. */
function useChange(text: string): string {
  const [state, setState] = useState({ text, changed: false });
  if (state.text === text) return state.changed ? text : '';
  setState({ text, changed: true });
  return text;
}
