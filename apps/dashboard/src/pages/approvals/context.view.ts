import { formatMoney } from '@finhook/contracts/currency';
import type { Tone } from '../../components/badge.tsx';
import type { NamedRecord } from '../../components/record-link.tsx';
import type { Waiting } from '../../components/shell/inbox.ts';
import { amountIn, bigOf } from '../../lib/exact-cents.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import { formatDay } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { localOf } from '../../lib/zoned-time.ts';
import { type AgentApproval, formatTimeLeft, type Wire } from './approval.view.ts';
import { waitingText } from './inbox.view.ts';

type Context = Outputs['bank']['approvals']['context'];
type WiredAccount = Context['account'];
type Flag = Context['critical_flags'][number];

/** What a person should know before a decision. */
export interface Fact {
  id: string;
  tone: Extract<Tone, 'good' | 'warn' | 'bad' | 'neutral'>;
  text: string;
  record?: NamedRecord;
}

interface Reading {
  wire: Pick<Wire, 'beneficiary' | 'currency' | 'connection_id'>;
  zone: string;
  now: number;
  nameOf: (connectionId: string) => string;
}

/** The facts about a wire, the paying account last. */
export function factsOf(context: Context, reading: Reading): Fact[] {
  return [
    ...context.critical_flags.map(flagFact),
    ...context.agent_requests.map(({ id, title, expires_at, company_id }): Fact => {
      const left = expires_at === null ? undefined : formatTimeLeft(expires_at, reading.now);
      return {
        id,
        tone: 'warn',
        text: `An agent asks: ${title}${left === undefined ? '' : ` (expires in ${left})`}`,
        record: { id, companyId: company_id },
      };
    }),
    accountFact(context, reading),
    paymentsFact(context, reading),
    payingFact(context, reading),
  ];
}

function flagFact(flag: Flag): Fact {
  return {
    id: flag.id,
    tone: 'bad',
    text: `Critical flag open: ${flag.title}`,
    record: { id: flag.id, companyId: flag.company_id, stored: flag },
  };
}

/** The factor of the median from which an amount is unusual. */
const UNUSUAL = 3;

function paymentsFact({ payments }: Context, { wire, zone }: Reading): Fact {
  const { name } = wire.beneficiary;
  const { count, amount_to_median: factor, last_paid_at: last, read_from: from } = payments;
  const since = from === null ? '' : ` since ${dayOf(from, zone)}`;
  if (count === 0)
    return {
      id: 'payments',
      tone: 'warn',
      text: `You have not paid ${name} in ${wire.currency}${since === '' ? ' before' : since}.`,
    };
  const { cents, digits } = amountIn(payments, 'median');
  const median = formatMoney(bigOf(cents, digits), wire.currency);
  return {
    id: 'payments',
    tone: factor !== null && factor >= UNUSUAL ? 'warn' : 'neutral',
    text:
      `You paid ${name} ${plural(count, 'time')}${since}, with a median of ${median}` +
      (factor === null ? '.' : `; this wire is ${timesText(factor)} the median.`) +
      (last === null ? '' : ` The last payment was on ${dayOf(last, zone)}.`),
  };
}

/** `4.1 times`, or `about` for once. */
function timesText(factor: number): string {
  const times = formatDecimal(factor, 1);
  return times === '1' ? 'about' : `${times} times`;
}

function accountFact({ account, other_accounts: others }: Context, { zone }: Reading): Fact {
  const shown = last4(account);
  if (account.approved_wires > 0)
    return {
      id: 'account',
      tone: 'good',
      text: `${plural(account.approved_wires, 'earlier approved wire')} went to account ${shown}${lastWire(account, zone)}.`,
    };
  if (others.length === 0) return { id: 'account', tone: 'warn', text: `This is the first wire to account ${shown}.` };
  return {
    id: 'account',
    tone: 'bad',
    text: `This is the first wire to account ${shown}. Earlier wires to this beneficiary went to ${others.map(last4).join(', ')}.`,
  };
}

function payingFact({ paying_account: paying }: Context, { wire, nameOf }: Reading): Fact {
  if (wire.connection_id === null)
    return { id: 'paying', tone: 'neutral', text: 'The wire doesn’t say which account pays it.' };
  const name = nameOf(wire.connection_id);
  if (paying === null) return { id: 'paying', tone: 'neutral', text: `${name} has no balance in ${wire.currency}.` };
  const { cents, digits } = amountIn(paying, 'after');
  const after = bigOf(cents, digits);
  return {
    id: 'paying',
    tone: after < 0n ? 'bad' : 'neutral',
    text: `${name} after payment: ${formatMoney(after, paying.currency)} (from the balance of ${formatDay(paying.as_of)}).`,
  };
}

const last4 = ({ account_last4 }: WiredAccount): string => `····${account_last4}`;

const dayOf = (iso: string, zone: string): string => formatDay(localOf(iso, zone).slice(0, 10));

function lastWire({ last_approved_at: last }: WiredAccount, zone: string): string {
  return last === null ? '' : `, the last on ${dayOf(last, zone)}`;
}

type Agent = Pick<Outputs['agents']['get'], 'name' | 'status' | 'paused_reason'>;

type Request = Pick<AgentApproval, 'company_id' | 'title' | 'description' | 'payload' | 'risk'>;

/** True if the request names the beneficiary of the wire, as the service looks for requests about one. */
function isAbout({ company_id, title, description, payload }: Request, wire: Waiting): boolean {
  const isNamedIn = (text: string, name: string): boolean => text.toLowerCase().includes(name.toLowerCase());
  return (
    wire.kind === 'wire' &&
    wire.company_id === company_id &&
    (isNamedIn(`${title} ${description ?? ''}`, wire.title) ||
      isNamedIn(JSON.stringify(payload ?? null), JSON.stringify(wire.title).slice(1, -1)))
  );
}

/** The facts about a request of an agent. The agent is undefined until it is read; wires are of what waits. */
export function requestFacts(
  request: Request,
  flags: readonly Flag[],
  waiting: readonly Waiting[],
  agent?: Agent,
): Fact[] {
  const { risk } = request;
  const name = agent?.name ?? 'This agent';
  const paused = agent?.status === 'paused';
  return [
    ...flags.map(flagFact),
    ...waiting
      .filter((one) => isAbout(request, one))
      .map((wire): Fact => {
        const record = { id: wire.id, companyId: wire.company_id };
        return { id: wire.id, tone: 'warn', text: `${waitingText(wire)} waits for approval.`, record };
      }),
    ...(paused
      ? [
          {
            id: 'paused',
            tone: 'warn' as const,
            text: `${name} is paused${agent.paused_reason === null ? '' : `: ${agent.paused_reason}`}.`,
          },
        ]
      : []),
    ...(risk === 'high'
      ? [{ id: 'risk', tone: 'warn' as const, text: 'The agent rates this request as high risk.' }]
      : []),
    ...(flags.length === 0
      ? [{ id: 'flags', tone: 'neutral' as const, text: `${name} has no open critical flag.` }]
      : []),
  ];
}
