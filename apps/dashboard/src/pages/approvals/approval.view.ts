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

const settled: Record<Exclude<Wire['status'], 'pending'>, string> = {
  approved: 'Approved. Decisions are final.',
  rejected: 'Rejected. Decisions are final.',
  expired: 'Expired without a decision. Record the wire again if still needed.',
  cancelled: 'Cancelled. Record the wire again if still needed.',
};

export function whyNotDecide(wire: Wire, reviewer: Reviewer): string | undefined {
  if (wire.status !== 'pending') {
    return wire.required_approvals === 0 && wire.status === 'approved'
      ? 'Below the threshold: no approval needed.'
      : settled[wire.status];
  }
  if (isOwn(wire.requested_by, reviewer)) {
    return (
      'You can’t approve your own wire. Ask a colleague to approve it, with a key that an operator created for them: ' +
      'keys that you create act as you. You can still cancel the wire.'
    );
  }
  if (wire.reviews.some((review) => isOwn(review.reviewer, reviewer))) {
    return 'You already reviewed this wire. Another person must decide.';
  }
  if (!reviewer.mayDecide) return 'Your key can’t review wires. Reviewing requires the approvals:write permission.';
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
  return 'The key that asked and the key that decided belong to the same person.';
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

export function mergeNewest(lists: ReadonlyArray<readonly AgentApproval[]>): readonly AgentApproval[] {
  return lists.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
}
