import { DomainError } from './domain-error.ts';

export interface StateMachine<S extends string> {
  /**
   * Returns false if the record is already in state `to`: a repetition. @throws `invalid_state_transition` with the
   * allowed states
   */
  moves(from: S, to: S): boolean;
}

export function defineStates<const S extends string>(
  what: string,
  next: Readonly<Record<S, readonly NoInfer<S>[]>>,
): StateMachine<S> {
  return {
    moves(from, to) {
      if (next[from].includes(to)) return true;
      if (from === to) return false;
      throw rejectTransition(what, from, to, next[from]);
    },
  };
}

export function rejectTransition(what: string, from: string, to: string, allowed: readonly string[]): DomainError {
  const ways = allowed.length === 0 ? 'This state is final.' : `From here it can become ${allowed.join(' or ')}.`;
  return new DomainError('invalid_state_transition', {
    detail: `The ${what} is ${from} and cannot become ${to}. ${ways}`,
    extra: { current_status: from, allowed },
  });
}
