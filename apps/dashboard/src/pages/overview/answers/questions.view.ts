import { formatMoney } from '@finhook/contracts/currency';
import { type Amount, amountIn, bigOf, exactOf } from '../../../lib/exact-cents.ts';
import { plural, someOf } from '../../../lib/text.ts';
import type { Inputs, Outputs } from '../../../lib/trpc.ts';

type Quality = Outputs['financials']['dataQuality'];
type Settings = Outputs['financials']['settings']['get'];
type Headline = Outputs['financials']['runway']['headline'];
type SettingsChange = Omit<Inputs['financials']['settings']['update'], 'company_id'>;

/** An answer that changes the settings. */
interface Answer {
  label: string;
  change: SettingsChange;
}

/** Something about the data that a person has to look at: with answers, or with a link to where it is solved. */
export interface Question {
  id: string;
  text: string;
  answers: readonly Answer[];
  link?: 'transfers' | 'stale' | 'unexplained';
}

/** Rows that name no connection are called `none` in the settings. */
const settingsName = (connectionId: string | null): string => connectionId ?? 'none';

export interface Facts {
  quality: Quality;
  cash: Outputs['cash']['onHand'];
  settings: Settings;
  headline: Headline;
  nameOf: (connectionId: string | null) => string;
}

/** All questions, those that change the figures most first. */
export function questionsOf(facts: Facts): Question[] {
  return [
    ...countedTwice(facts),
    ...accountTypes(facts),
    ...transfersWithoutSide(facts),
    ...staleAccounts(facts),
    ...unexplained(facts),
  ];
}

function countedTwice({ quality, settings, nameOf }: Facts): Question[] {
  const { connections = [], figures = [] } = quality.counted_twice ?? {};
  const once = figures.flatMap((figure) => onceText(figure));
  return connections.map(({ connection_id, repeats }) => ({
    id: `twice ${settingsName(connection_id)} ${settingsName(repeats)}`,
    text: `${nameOf(connection_id)} has the same transactions as ${nameOf(repeats)}. Are they one account?${once.length > 0 ? ` Counted once, ${once.join(', ')}.` : ''}`,
    answers: [
      {
        label: 'Same account',
        change: { excluded_connections: [...settings.excluded_connections, settingsName(connection_id)] },
      },
    ],
  }));
}

type TwiceFigure = NonNullable<Quality['counted_twice']>['figures'][number];

function onceText(figure: TwiceFigure): string[] {
  const text = (name: string, all: Amount, once: Amount): string[] => {
    if (exactOf(all.cents, all.digits) === null || exactOf(once.cents, once.digits) === null) return [];
    const [was, is] = [all, once].map(({ cents, digits }) => formatMoney(bigOf(cents, digits), figure.currency));
    return [`${name} is ${is} instead of ${was}`];
  };
  return [
    ...text('cash', amountIn(figure, 'cash'), amountIn(figure, 'cash_once')),
    ...text('gross burn', amountIn(figure, 'gross_burn'), amountIn(figure, 'gross_burn_once')),
  ];
}

const types = [
  ['credit_card', 'Credit card'],
  ['loan', 'Loan'],
  ['depository', 'Bank account'],
] as const;

/** An account whose balance moves against its transactions, until somebody says what it is. */
function accountTypes({ quality, settings, nameOf }: Facts): Question[] {
  const known = new Set(settings.accounts.map(({ connection_id }) => connection_id));
  const asked = quality.reconciliation.filter(
    ({ hint, connection_id }) => hint === 'opposite_signs' && !known.has(settingsName(connection_id)),
  );
  const ids = [...new Set(asked.map(({ connection_id }) => connection_id))];
  return ids.map((id) => ({
    id: `type ${settingsName(id)}`,
    text: `What is ${nameOf(id)}? Its balance moves against its transactions, as that of a card or a loan does.`,
    answers: types.map(([account_type, label]) => ({
      label,
      change: { accounts: [...settings.accounts, { connection_id: settingsName(id), account_type }] },
    })),
  }));
}

function transfersWithoutSide({ headline }: Facts): Question[] {
  const reasons = headline?.confidence_reasons ?? [];
  return reasons
    .filter(({ code }) => code === 'unpaired_transfers')
    .map(({ message }) => ({ id: 'transfers', text: message, answers: [], link: 'transfers' }));
}

function staleAccounts({ quality, cash, headline, nameOf }: Facts): Question[] {
  const count = quality.freshness.stale_streams;
  const named = cash.streams.filter(({ freshness }) => freshness === 'stale').map((one) => nameOf(one.connection_id));
  const names = named.length === 0 ? '' : `: ${someOf(named)}`;
  const silent = (headline?.confidence_reasons ?? []).filter(({ code }) => code === 'silent_connection');
  return [
    ...(count > 0
      ? [
          {
            id: 'stale',
            text: `${plural(count, 'account')} with old data${names}.`,
            answers: [],
            link: 'stale' as const,
          },
        ]
      : []),
    ...silent.map(({ message }, i) => ({
      id: `silent ${i}`,
      text: message,
      answers: [],
      link: 'stale' as const,
    })),
  ];
}

function unexplained({ quality, nameOf }: Facts): Question[] {
  return quality.reconciliation
    .filter(({ status, hint }) => status === 'warn' && hint === null)
    .map((row) => {
      const { cents, digits } = amountIn(row, 'unexplained');
      return {
        id: `unexplained ${settingsName(row.connection_id)} ${row.currency}`,
        text: `The balance of ${nameOf(row.connection_id)} changed by ${formatMoney(bigOf(cents, digits), row.currency)} that its transactions do not explain.`,
        answers: [],
        link: 'unexplained',
      };
    });
}
