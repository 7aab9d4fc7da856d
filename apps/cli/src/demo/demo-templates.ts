export type Account = 'operating' | 'savings' | 'card' | 'berlin';

export interface Template {
  category: string;
  counterparty: string;
  description: string;
  /** Minor units, before noise of ±`noise` parts and growth per month. */
  amount: number;
  noise?: number;
  growth?: number;
  /** Days of the month, or a probability per working day. */
  on: readonly number[] | number;
  from?: number;
  account?: Account;
}

const cost = (
  category: string,
  counterparty: string,
  description: string,
  amount: number,
  on: Template['on'],
  noise = 0,
): Template => ({ category, counterparty, description, amount: -amount, on, noise });

const onCard = (...args: Parameters<typeof cost>): Template => ({ ...cost(...args), account: 'card' });
const inBerlin = (...args: Parameters<typeof cost>): Template => ({ ...cost(...args), account: 'berlin' });

const invoice = (counterparty: string, amount: number, day: number, from = 0): Template => ({
  category: 'revenue',
  counterparty,
  description: `Invoice paid by ${counterparty}`,
  amount,
  noise: 0.12,
  on: [day],
  from,
});

export const templates: readonly Template[] = [
  {
    category: 'revenue',
    counterparty: 'Card processor',
    description: 'Payout of card payments',
    amount: 252_000,
    noise: 0.35,
    growth: 0.022,
    on: 1,
  },
  invoice('Alder Health', 1_240_000, 4),
  invoice('Birch Logistics', 980_000, 6),
  invoice('Cedar Foods', 760_000, 9),
  invoice('Dune Energy', 1_420_000, 12, 3),
  invoice('Elm Publishing', 540_000, 14),
  invoice('Grove Pharmacies', 890_000, 21, 7),
  invoice('Harvest Retail', 1_310_000, 24, 9),
  cost('payroll', 'Payroll provider', 'Salaries', 8_150_000, [15, 28], 0.015),
  cost('payroll', 'Tax authority', 'Payroll tax', 1_840_000, [20], 0.04),
  cost('rent', 'Harbour Offices', 'Office rent', 780_000, [1]),
  cost('payment_fees', 'Card processor', 'Fees of card payments', 184_000, [2], 0.1),
  cost('support', 'Helpline Partners', 'Customer support', 980_000, [23], 0.06),
  cost('contractors', 'Studio Lind', 'Design retainer', 620_000, [26]),
  cost('insurance', 'Mutual Insurance', 'Liability insurance', 95_000, [10]),
  cost('bank_fees', 'Example Bank', 'Account fees', 3_900, [28]),
  { ...onCard('hosting', 'Example Cloud', 'Cloud hosting', 860_000, [3], 0.08), growth: 0.018 },
  onCard('marketing', 'Search network', 'Ad campaigns', 310_000, [7, 17, 27], 0.25),
  onCard('marketing', 'Trade weekly', 'Sponsored newsletter', 65_000, [11]),
  onCard('software', 'Issue tracker', 'Issue tracker, 24 seats', 48_000, [5]),
  onCard('software', 'Mail service', 'Transactional email', 27_500, [8], 0.2),
  onCard('software', 'CRM vendor', 'CRM subscription', 115_000, [13]),
  onCard('software', 'Error monitor', 'Error monitoring', 19_900, [22]),
  onCard('travel', 'Railway', 'Train to a customer', 18_600, 0.18, 0.5),
  onCard('travel', 'Airline', 'Flights', 52_400, 0.12, 0.5),
  onCard('meals', 'Canteen', 'Team lunch', 12_800, 0.45, 0.4),
  { ...invoice('Fjord Versicherung', 1_180_000, 18), account: 'berlin' },
  inBerlin('payroll', 'Payroll Berlin', 'Gehälter', 2_310_000, [28], 0.01),
  inBerlin('payroll', 'Krankenkasse', 'Sozialversicherung', 520_000, [27], 0.02),
  inBerlin('rent', 'Spreehöfe', 'Miete', 310_000, [1]),
];
