import { type ParsedMoney, parseMoney } from '../../lib/parse-money.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type Wire = Outputs['bank']['approvals']['get'];
export type AgentApproval = Outputs['agentApprovals']['get'];
type Actor = Wire['requested_by'];

export interface Reviewer {
  keyId: string;
  mayDecide: boolean;
}

function isOwn({ type, id }: Actor, { keyId }: Reviewer): boolean {
  return type === 'api_key' && id === keyId;
}

/** The status as people read it: one who says no denies, whatever is decided. */
export function statusOf({ status }: Pick<Wire, 'status'>): string {
  return status === 'rejected' ? 'denied' : status;
}

const settled: Record<Exclude<Wire['status'], 'pending'>, string> = {
  approved: 'Approved. Decisions are final.',
  rejected: 'Denied. Decisions are final.',
  expired: 'Expired without a decision. Record the wire again if still needed.',
  cancelled: 'Cancelled. Record the wire again if still needed.',
};

const settledRequest: Record<Exclude<AgentApproval['status'], 'pending'>, string> = {
  approved: 'Approved. Decisions are final.',
  denied: 'Denied. Decisions are final.',
  expired: 'Expired without a decision. The agent can send a new request.',
  cancelled: 'Withdrawn. The agent can send a new request.',
};

export function settledText(status: Exclude<AgentApproval['status'], 'pending'>): string {
  return settledRequest[status];
}

interface WhyNot {
  text: string;
  /** Another person has to decide. */
  asksColleague?: true;
}

export function whyNotDecide(wire: Wire, reviewer: Reviewer): WhyNot | undefined {
  if (wire.status !== 'pending') {
    const isBelow = wire.required_approvals === 0 && wire.status === 'approved';
    return { text: isBelow ? 'Below the threshold: no approval needed.' : settled[wire.status] };
  }
  if (isOwn(wire.requested_by, reviewer))
    return { text: 'You can’t approve your own wire. Ask a colleague to approve it.', asksColleague: true };
  if (wire.reviews.some((review) => isOwn(review.reviewer, reviewer)))
    return { text: 'You already approved this wire. Another person must decide too.', asksColleague: true };
  if (!reviewer.mayDecide)
    return { text: 'Your key can’t approve or deny wires. It needs the approvals:write permission.' };
  return undefined;
}

export function wireAmount(text: string, currency: string): ParsedMoney {
  const parsed = parseMoney(text, currency);
  return 'cents' in parsed && parsed.cents < 1 ? { fault: 'Enter an amount above zero.' } : parsed;
}

/** Explains why a wire of this amount needs another person's approval, by the service's rule. */
export function approvalNeed(
  wire: { cents: number; currency: string },
  company: { base_currency: string; wire_approval_threshold_cents: number },
): 'below' | 'reaches' | 'other_currency' {
  if (wire.currency !== company.base_currency) return 'other_currency';
  return wire.cents >= company.wire_approval_threshold_cents ? 'reaches' : 'below';
}

export interface Choice {
  decision: 'approve' | 'deny';
  option?: string;
}

export function choicesOf({
  options,
  option_decisions,
}: Pick<AgentApproval, 'options' | 'option_decisions'>): Choice[] {
  const offered = options.map((option, i): Choice => ({ option, decision: option_decisions[i] ?? 'approve' }));
  if (offered.length === 0) offered.push({ decision: 'approve' });
  return offered.some(({ decision }) => decision === 'deny') ? offered : [...offered, { decision: 'deny' }];
}

/** Undefined if another person, or an unknown one, owns the key that asked. */
export function samePersonNote({
  requested_by,
  decided_by,
}: Pick<AgentApproval, 'requested_by' | 'decided_by'>): string | undefined {
  const person = decided_by?.person_id ?? null;
  if (person === null || requested_by?.person_id !== person) return undefined;
  return 'The same person requested and decided this.';
}

const MINUTE_MS = 60_000;

export function formatTimeLeft(until: string, now: number): string | undefined {
  const left = Date.parse(until) - now;
  if (left <= 0) return undefined;
  const minutes = Math.floor(left / MINUTE_MS);
  if (minutes === 0) return 'under a minute';
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
