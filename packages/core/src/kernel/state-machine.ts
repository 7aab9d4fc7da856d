import { DomainError } from './domain-error.ts';

/** The states of a record and where each may go. */
export interface StateMachine<S extends string> {
  /**
   * True when the move is to be made, false when the record is there already (a repeat changes nothing). Throws
   * `invalid_state_transition`, with the states that can be reached, for every other move.
   */
  moves(from: S, to: S): boolean;
}

/** Creates the guard of one record's states; `what` names the record in errors. */
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

/** The 409 for a move that a record's state does not allow. */
export function rejectTransition(what: string, from: string, to: string, allowed: readonly string[]): DomainError {
  const ways = allowed.length === 0 ? 'This state is final.' : `From here it can become ${allowed.join(' or ')}.`;
  return new DomainError('invalid_state_transition', {
    detail: `The ${what} is ${from} and cannot become ${to}. ${ways}`,
    extra: { current_status: from, allowed },
  });
}
