import type { Actor, ApprovalActor } from '@finhook/contracts';
import type { Context } from '../../../verbs/context.ts';

/** As approvals store it; rows of earlier versions have no `person_id`. */
export type StoredApprovalActor = Actor & { person_id?: string | null };

/** The caller, with the person of the API key. */
export function approvalActorOf({ actor, personId }: Context): ApprovalActor {
  return { ...actor, person_id: personId === '' ? null : personId };
}

export function toApprovalActor(stored: StoredApprovalActor): ApprovalActor {
  return { ...stored, person_id: stored.person_id ?? null };
}
