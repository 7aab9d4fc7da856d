/** Posts the data of the demo company as a bank and books would. */
import type { FinhookClient } from '@finhook/client';
import type { DemoCompany, DemoConnection } from './demo-company.ts';
import { statementsOf } from './demo-statements.ts';

const BALANCES_AT_ONCE = 25;
const BATCH_ROWS = 500;

interface Posting {
  client: FinhookClient;
  provider: FinhookClient;
  company_id: string;
  progress: (line: string) => void;
}

/** Posts rows, balances and statements. The operating account is connected a second time. */
export async function postDemo(
  { client, provider, company_id, progress }: Posting,
  demo: DemoCompany,
): Promise<{ requests: number; ingestMs: number }> {
  const began = performance.now();
  const connect = (account_name: string, account_last4: string, more: { currency?: string; replaces?: string } = {}) =>
    client.bank.connections
      .create({ company_id, provider: 'example_bank', currency: 'USD', account_name, account_last4, ...more })
      .then(({ id }) => id);
  const [before, savings, card, berlin] = await Promise.all([
    connect('Operating', '4411'),
    connect('Savings', '7702'),
    connect('Company card', '9035'),
    connect('Berlin', '2206', { currency: 'EUR' }),
  ]);
  const ids = new Map<DemoConnection, string>([
    ['operating_before', before],
    ['savings', savings],
    ['card', card],
    ['berlin', berlin],
  ]);
  const isKnown = ({ connection }: { connection: DemoConnection }): boolean => ids.has(connection);
  const later = (one: { connection: DemoConnection }): boolean => !isKnown(one);
  const { balances, transactions } = demo;
  const [laterRows, laterBalances] = [transactions.filter(later), balances.filter(later)];
  const sender = createSender({ provider, company_id, progress, ids, demo });
  await sender.postRows(transactions.filter(isKnown));
  await sender.postBalances(balances.filter(isKnown));
  await client.bank.connections.disconnect({ connection_id: before });
  ids.set('operating', await connect('Operating', '4411', { replaces: before }));
  progress('The operating account was connected again, by a connection that replaces the first');
  await sender.postRows(laterRows);
  await sender.postBalances(laterBalances);
  await sender.postChanged();
  await sender.postSettled();
  await sender.postStatements();
  return { requests: sender.requests(), ingestMs: performance.now() - began };
}

function createSender({
  provider,
  company_id,
  progress,
  ids,
  demo,
}: Omit<Posting, 'client'> & { ids: ReadonlyMap<DemoConnection, string>; demo: DemoCompany }) {
  const sent = { requests: 0, rows: 0, balances: 0 };
  const named = <T extends { connection: DemoConnection }>({ connection, ...row }: T) => ({
    ...row,
    connection_id: ids.get(connection) ?? null,
  });
  return {
    requests: (): number => sent.requests,
    async postRows(rows: DemoCompany['transactions']): Promise<void> {
      for (let i = 0; i < rows.length; i += BATCH_ROWS) {
        const transactions = rows.slice(i, i + BATCH_ROWS).map(named);
        await provider.bank.transactions.ingest({ company_id, transactions });
        sent.requests++;
        sent.rows += transactions.length;
        progress(`Transactions ${sent.rows} of ${demo.transactions.length}`);
      }
    },
    /** Banks do so when a pending card payment is posted: the row is skipped, and reported as changed. */
    async postChanged(): Promise<void> {
      const lunch = demo.transactions.findLast(({ category }) => category === 'meals');
      if (!lunch) return;
      const transactions = [{ ...named(lunch), amount_cents: Math.round(lunch.amount_cents * 1.15) }];
      await provider.bank.transactions.ingest({ company_id, transactions });
      sent.requests++;
    },
    /** Banks do so when a payment is settled: its text gets longer, and the stored row follows. */
    async postSettled(): Promise<void> {
      const journey = demo.transactions.findLast(({ category }) => category === 'travel');
      if (!journey) return;
      const transactions = [{ ...named(journey), description: `${journey.description ?? ''}, settled` }];
      await provider.bank.transactions.ingest({ company_id, on_duplicate: 'update', transactions });
      sent.requests++;
    },
    async postBalances(balances: DemoCompany['balances']): Promise<void> {
      for (let i = 0; i < balances.length; i += BALANCES_AT_ONCE) {
        const slice = balances.slice(i, i + BALANCES_AT_ONCE).map(named);
        await Promise.all(slice.map((balance) => provider.cash.balances.upsert({ company_id, ...balance })));
        sent.requests += slice.length;
        sent.balances += slice.length;
        if ((i / BALANCES_AT_ONCE) % 4 === 3) progress(`Balances ${sent.balances} of ${demo.balances.length}`);
      }
    },
    async postStatements(): Promise<void> {
      const { months } = demo;
      const all = months.flatMap((month) => statementsOf(months, month));
      // The newest income statement before the contractors' invoice arrived.
      const preliminary = months.slice(-1).flatMap((month) => statementsOf(months, month, ['contractors']).slice(0, 1));
      const statements = [...preliminary, ...all];
      for (const snapshot of statements) await provider.financials.snapshots.upsert({ company_id, ...snapshot });
      sent.requests += statements.length;
      progress(`Statements ${statements.length} of ${statements.length}`);
    },
  };
}
