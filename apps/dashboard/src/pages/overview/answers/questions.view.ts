import { formatMoney } from '@finhook/contracts/currency';
import { type Amount, amountIn, bigOf, exactOf } from '../../../lib/exact-cents.ts';
import { plural } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import type { Settings, SettingsChange } from '../../../operation/use-change-settings.ts';

type Quality = Outputs['financials']['dataQuality'];
type Headline = Outputs['financials']['runway']['headline'];

/** An answer that changes the stored settings. */
interface Answer {
  label: string;
  change: (stored: Settings) => SettingsChange;
}

/** Something about the data that a person has to look at. */
export type Question = { id: string } & (
  | { kind: 'answers'; text: string; answers: readonly Answer[] }
  /** Is solved on another page. */
  | { kind: 'link'; text: string; link: 'stale' | 'unexplained' }
  /** Transfers of the months whose other side is not known. */
  | { kind: 'transfers'; text: string; month: string | undefined }
  /** Money in that may be no income. */
  | { kind: 'inflow'; transactionId: string }
);

/** Rows that name no connection are called `none` in the settings. */
const settingsName = (connectionId: string | null): string => connectionId ?? 'none';

export interface Facts {
  quality: Quality;
  cash: Outputs['cash']['onHand'];
  headline: Headline;
  /** The months that are shown, oldest first. */
  months: Outputs['financials']['monthly']['months'];
  nameOf: (connectionId: string | null) => string;
}

/** All questions, those that change the figures most first. */
export function questionsOf(facts: Facts): Question[] {
  return [
    ...largeInflows(facts),
    ...countedTwice(facts),
    ...accountTypes(facts),
    ...transfersWithoutSide(facts),
    ...staleAccounts(facts),
    ...unexplained(facts),
  ];
}

/** The transactions that may be no income. */
export function largeInflowIds({ warnings }: Pick<Quality, 'warnings'>): string[] {
  return warnings.flatMap(({ code, transaction_id: id }) => (code === 'large_inflow' && id !== undefined ? [id] : []));
}

function largeInflows({ quality }: Facts): Question[] {
  return largeInflowIds(quality).map((id) => ({ id, kind: 'inflow', transactionId: id }));
}

function countedTwice({ quality, nameOf }: Facts): Question[] {
  const { connections = [], figures = [] } = quality.counted_twice ?? {};
  const once = figures.flatMap((figure) => onceText(figure));
  return connections.map(({ connection_id, repeats }) => ({
    id: `twice ${settingsName(connection_id)} ${settingsName(repeats)}`,
    kind: 'answers',
    text: `${nameOf(connection_id)} has the same transactions as ${nameOf(repeats)}. Are they one account?${once.length > 0 ? ` If it is counted once, ${once.join(', ')}.` : ''}`,
    answers: [
      {
        label: 'Same account',
        change: ({ excluded_connections }) => ({
          excluded_connections: [...excluded_connections, settingsName(connection_id)],
        }),
      },
      {
        label: 'Different accounts',
        change: ({ distinct_connections }) => ({
          distinct_connections: [...distinct_connections, [settingsName(connection_id), settingsName(repeats)]],
        }),
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

/** An account that looks like a card or a loan, until somebody says what it is. */
function accountTypes({ quality, nameOf }: Facts): Question[] {
  return quality.warnings
    .filter(({ code }) => code === 'account_type_unclear')
    .map(({ connection_id: id = null }) => ({
      id: `type ${settingsName(id)}`,
      kind: 'answers',
      text: `What is ${nameOf(id)}? It counts as cash, but looks like a card or a loan.`,
      answers: types.map(([account_type, label]) => ({
        label,
        change: ({ accounts }) => ({ accounts: [...accounts, { connection_id: settingsName(id), account_type }] }),
      })),
    }));
}

/** Opens the month in which most money left the accounts uncounted: both sides of a pair cancel. */
function transfersWithoutSide({ headline, months }: Facts): Question[] {
  if (headline === null) return [];
  const { confidence_reasons, currency, window } = headline;
  const leftIn = (month: string): bigint => {
    const found = months.find((one) => one.month === month);
    const line = found?.total ?? found?.flows.find((flow) => flow.currency === currency);
    if (line === undefined) return 0n;
    return (
      bigOf(line.excluded_out_cents, line.excluded_out_string) - bigOf(line.excluded_in_cents, line.excluded_in_string)
    );
  };
  const most = window.toReversed().reduce((a, b) => (leftIn(b) > leftIn(a) ? b : a), window.at(-1) ?? '');
  return confidence_reasons
    .filter(({ code }) => code === 'unpaired_transfers')
    .map(({ message }) => ({
      id: 'transfers',
      kind: 'transfers',
      text: message,
      month: most === '' ? undefined : most,
    }));
}

/** Accounts whose balances are old are lines of their own above the questions. */
function staleAccounts({ quality, cash }: Facts): Question[] {
  const count = quality.freshness.stale_streams;
  const hasOldBalance = cash.streams.some(({ freshness }) => freshness === 'stale');
  const stale: Question = {
    id: 'stale',
    kind: 'link',
    text: `${plural(count, 'account has', 'accounts have')} old data.`,
    link: 'stale',
  };
  const silent = quality.warnings
    .filter(({ code }) => code === 'silent_connection')
    .map(
      ({ message, connection_id: id = null }): Question => ({
        id: `silent ${settingsName(id)}`,
        kind: 'link',
        text: message,
        link: 'stale',
      }),
    );
  return [...(count > 0 && !hasOldBalance ? [stale] : []), ...silent];
}

function unexplained({ quality, nameOf }: Facts): Question[] {
  return quality.reconciliation
    .filter(({ status, hint }) => status === 'warn' && hint === null)
    .map((row) => {
      const { cents, digits } = amountIn(row, 'unexplained');
      return {
        id: `unexplained ${settingsName(row.connection_id)} ${row.currency}`,
        kind: 'link',
        text: `Transactions don’t explain ${formatMoney(bigOf(cents, digits), row.currency)} of the change in the balance of ${nameOf(row.connection_id)}.`,
        link: 'unexplained',
      };
    });
}
