import {
  type Directive as DirectiveRecord,
  directive as directiveSchema,
  type EventData,
  type operations,
  type Warning,
} from '@finhook/contracts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { record } from '../../../verbs/record.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { type Directive, directiveStates, findDirective } from './directive.ts';

type ResolveOp = typeof operations.directives.resolve;

type EventOf<T extends 'directive.issued' | 'directive.suspended' | 'directive.resolved'> = {
  type: T;
  data: EventData<T>;
};

interface Move {
  action: 'directives.suspend' | 'directives.resume' | 'directives.resolve';
  to: DirectiveRecord['status'];
  change: (directive: Directive, now: Date) => void;
  event: (
    after: DirectiveRecord,
    before: DirectiveRecord,
  ) => EventOf<'directive.issued'> | EventOf<'directive.suspended'> | EventOf<'directive.resolved'>;
}

export const suspendDirective: Verb<typeof operations.directives.suspend> = (context, input) =>
  move(context, input.directive_id, {
    action: 'directives.suspend',
    to: 'suspended',
    change(directive, now) {
      directive.suspended_at = now;
      directive.suspended_reason = input.reason ?? null;
    },
    event: (after) => ({ type: 'directive.suspended', data: { ...after, previous_status: 'issued' } }),
  });

export const resumeDirective: Verb<typeof operations.directives.resume> = (context, input) =>
  move(context, input.directive_id, {
    action: 'directives.resume',
    to: 'issued',
    change(directive) {
      directive.suspended_at = null;
      directive.suspended_reason = null;
    },
    event: (after) => ({
      type: 'directive.issued',
      data: { ...after, previous_status: 'suspended', resumed: true },
    }),
  });

export const resolveDirective: Verb<ResolveOp> = async (context, input) => {
  const resolved = await move(context, input.directive_id, {
    action: 'directives.resolve',
    to: 'resolved',
    change(directive, now) {
      directive.resolved_at = now;
      directive.resolution = input.resolution ?? 'completed';
      directive.resolution_note = input.note ?? null;
    },
    event: (after, { status }) => ({
      type: 'directive.resolved',
      data: { ...after, previous_status: status === 'suspended' ? status : 'issued' },
    }),
  });
  const warnings = ignoredFields(resolved, input);
  return warnings.length === 0 ? resolved : { ...resolved, warnings };
};

async function move(context: Context, directiveId: string, step: Move): Promise<DirectiveRecord> {
  return transaction(context, { records: 'audit and event', lock: directiveId }, async (tx) => {
    const directive = await findDirective(tx.em, context, directiveId);
    await lockCompany(tx, context, directive.company_id);
    const before = record(directiveSchema, directive);
    if (!directiveStates.moves(directive.status, step.to)) return before;
    const now = context.clock.now();
    directive.status = step.to;
    directive.updated_at = now;
    step.change(directive, now);
    await tx.em.flush();
    const after = record(directiveSchema, directive);
    recordChange(tx, context, { action: step.action, before, after, event: step.event(after, before) });
    return after;
  });
}

function ignoredFields(stored: DirectiveRecord, { resolution, note }: InputOf<ResolveOp>): Warning[] {
  const said = [
    ['resolution', resolution, stored.resolution],
    ['note', note, stored.resolution_note],
  ] as const;
  return said
    .filter(([, sent, kept]) => sent != null && sent !== kept)
    .map(([field]) => ({
      code: 'already_resolved',
      pointer: `/${field}`,
      message: `The directive was already resolved and keeps its ${field}. Issue a new directive for anything else.`,
    }));
}
