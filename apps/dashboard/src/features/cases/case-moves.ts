import type { Outputs } from '../../data/trpc.ts';

export type Case = Outputs['cases']['get'];

const moves: Record<Case['status'], ReadonlyArray<readonly [to: Case['status'], label: string]>> = {
  open: [
    ['waiting', 'Mark as waiting'],
    ['closed', 'Close case'],
  ],
  waiting: [
    ['open', 'Reopen'],
    ['closed', 'Close case'],
  ],
  closed: [['open', 'Reopen']],
};

/** Where a case in this status can be moved, with what the button says; the service refuses everything else. */
export function movesOf(status: Case['status']): ReadonlyArray<readonly [to: Case['status'], label: string]> {
  return moves[status];
}
