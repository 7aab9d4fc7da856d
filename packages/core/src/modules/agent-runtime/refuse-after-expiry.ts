import { DomainError } from '../../kernel/domain-error.ts';
import type { AgentApproval } from './agent-approval.entity.ts';

/** Refuses to decide or withdraw an approval whose time is over, also before its status says so. */
export function refuseAfterExpiry({ expiresAt }: Pick<AgentApproval, 'expiresAt'>, now: Date): void {
  if (!expiresAt || expiresAt > now) return;
  throw new DomainError('invalid_state_transition', {
    detail: `The approval expired at ${expiresAt.toISOString()}. The agent has to ask again.`,
    extra: { current_status: 'expired', allowed: [] },
  });
}
