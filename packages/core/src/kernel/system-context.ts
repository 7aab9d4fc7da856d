import type { Actor } from '@finhook/contracts';
import { fullAccess } from './access.ts';
import type { Context, Core } from './context.ts';

/** Who did what the service does by itself. */
export const systemActor: Actor = { type: 'system', id: 'finhook', name: 'finhook' };

/** The context of work that the service does by itself, for the audit log. `origin` names the job. */
export function systemContext(core: Core, accountId: string, origin: string): Context {
  return {
    ...core,
    database: core.database.forAccount(accountId),
    accountId,
    actor: systemActor,
    keyId: '',
    personId: '',
    scope: 'human',
    access: fullAccess,
    request: { id: origin, ip: null },
  };
}
