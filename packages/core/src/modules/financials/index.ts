/** financials: statement snapshots, their revisions, and the equations that they should satisfy. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { checkSnapshot } from './check-snapshot.ts';
import { getSnapshot, listRevisions, listSnapshots } from './read-snapshots.ts';
import { upsertSnapshot } from './upsert-snapshot.ts';

export const financials = {
  snapshots: {
    upsert: upsertSnapshot,
    get: getSnapshot,
    list: listSnapshots,
    checks: checkSnapshot,
    revisions: listRevisions,
  },
} satisfies Handlers<Pick<typeof operations.financials, 'snapshots'>>;
