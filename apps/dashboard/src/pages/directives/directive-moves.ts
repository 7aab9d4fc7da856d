import type { Outputs } from '../../lib/trpc.ts';

export type Directive = Outputs['directives']['get'];
export type DirectiveMove = 'suspend' | 'resume' | 'resolve';

const moves: Record<Directive['status'], readonly DirectiveMove[]> = {
  issued: ['suspend', 'resolve'],
  suspended: ['resume', 'resolve'],
  resolved: [],
};

export function movesOf(status: Directive['status']): readonly DirectiveMove[] {
  return moves[status];
}
