import type { Outputs } from '../../lib/trpc.ts';

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

export function movesOf(status: Case['status']): ReadonlyArray<readonly [to: Case['status'], label: string]> {
  return moves[status];
}
