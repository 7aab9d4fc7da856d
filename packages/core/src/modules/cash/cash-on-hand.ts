import type { CashOnHandLine } from '@finhook/contracts';

/** The newest balance of one stream (a connection, or the rows that name none). */
export interface StreamBalance {
  connection_id: string;
  as_of: string;
  balance_cents: number;
  currency: string;
}

/**
 * Cash per currency: the newest balance of each stream, added exactly. Currencies are never converted or mixed; the
 * base currency comes first. A sum beyond 2^53−1 is given as text, with `balance_cents: null`.
 */
export function sumCash(streams: readonly StreamBalance[], baseCurrency: string): CashOnHandLine[] {
  const byCurrency = Map.groupBy(streams, ({ currency }) => currency);
  const lines = [...byCurrency].map(([currency, members]): CashOnHandLine => {
    const sum = members.reduce((total, { balance_cents }) => total + BigInt(balance_cents), 0n);
    const dates = members.map(({ as_of }) => as_of).sort();
    const exact = Number.isSafeInteger(Number(sum));
    return {
      currency,
      balance_cents: exact ? Number(sum) : null,
      ...(exact ? {} : { balance_string: sum.toString() }),
      streams: members.length,
      oldest_as_of: dates[0] ?? '',
      newest_as_of: dates.at(-1) ?? '',
    };
  });
  return lines.sort((a, b) => rank(a.currency, baseCurrency).localeCompare(rank(b.currency, baseCurrency)));
}

function rank(currency: string, base: string): string {
  return currency === base ? '' : currency;
}
