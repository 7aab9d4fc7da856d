/** The records of one company in plain maps: the reference that the service must match. */
export interface CompanyModel {
  balances: Map<string, ModelBalance>;
  transactions: Map<string, ModelTransaction>;
  snapshots: Map<string, ModelSnapshot>;
  /** Events per type, and the rows in `bank.transaction.posted`. */
  events: Record<'bank.balance.updated' | 'bank.transaction.posted' | 'financial.snapshot.updated', number>;
  reported: number;
  /** Contents of the balances' events, in order. */
  balanceEvents: BalanceEvent[];
}

export interface BalanceEvent {
  result: 'created' | 'updated' | 'unchanged';
  cash: Record<string, number>;
}

export interface ModelBalance {
  connection_id: string | null;
  as_of: string;
  balance_cents: number;
  currency: string;
}

export interface ModelTransaction {
  connection_id: string | null;
  external_id: string;
  posted_at: string;
  amount_cents: number;
}

export interface ModelSnapshot {
  statement_type: 'income' | 'balance' | 'cashflow';
  period_end: string;
  totals: Record<string, number>;
  revision: number;
}

export function newCompanyModel(): CompanyModel {
  return {
    balances: new Map(),
    transactions: new Map(),
    snapshots: new Map(),
    events: { 'bank.balance.updated': 0, 'bank.transaction.posted': 0, 'financial.snapshot.updated': 0 },
    reported: 0,
    balanceEvents: [],
  };
}

/** The expected result of a post, and the cash in its event at `until`. */
export function putBalance(model: CompanyModel, balance: ModelBalance, until: string): BalanceEvent['result'] {
  const result = resultOf(model, balance);
  model.balanceEvents.push({ result, cash: cashOf(model, until) });
  return result;
}

function resultOf(model: CompanyModel, balance: ModelBalance): BalanceEvent['result'] {
  const key = `${balance.connection_id ?? ''}|${balance.as_of}`;
  const old = model.balances.get(key);
  model.balances.set(key, balance);
  model.events['bank.balance.updated'] += 1;
  if (!old) return 'created';
  return old.balance_cents === balance.balance_cents && old.currency === balance.currency ? 'unchanged' : 'updated';
}

/** The expected ids of inserted rows, in the order of the request. */
export function addTransactions(model: CompanyModel, rows: readonly ModelTransaction[]): string[] {
  const inserted: string[] = [];
  for (const row of rows) {
    const key = `${row.connection_id ?? ''}|${row.external_id}`;
    if (model.transactions.has(key)) continue;
    model.transactions.set(key, row);
    inserted.push(row.external_id);
  }
  model.events['bank.transaction.posted'] += 1;
  model.reported += inserted.length;
  return inserted;
}

/** The expected revision. */
export function putSnapshot(model: CompanyModel, snapshot: Omit<ModelSnapshot, 'revision'>): number {
  const key = `${snapshot.statement_type}|${snapshot.period_end}`;
  const old = model.snapshots.get(key);
  const same = old !== undefined && JSON.stringify(old.totals) === JSON.stringify(snapshot.totals);
  const revision = (old?.revision ?? 0) + (same ? 0 : 1);
  model.snapshots.set(key, { ...snapshot, revision });
  model.events['financial.snapshot.updated'] += 1;
  return revision;
}

/** Cash per currency: each connection's newest balance not later than `until`. */
export function cashOf(model: CompanyModel, until: string): Record<string, number> {
  const newest = new Map<string | null, ModelBalance>();
  for (const balance of model.balances.values()) {
    const known = newest.get(balance.connection_id);
    if (balance.as_of <= until && (!known || known.as_of < balance.as_of)) newest.set(balance.connection_id, balance);
  }
  const cash: Record<string, number> = {};
  for (const { currency, balance_cents } of newest.values()) cash[currency] = (cash[currency] ?? 0) + balance_cents;
  return cash;
}
