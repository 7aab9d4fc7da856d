// Risk: a state that is final is left, or one that people need cannot be reached.
import { describe, expect, test } from 'vitest';
import type { StateMachine } from '../../kernel/state-machine.ts';
import { caseStates } from './case.ts';
import { directiveStates } from './directives/directive.ts';

type Ways<S extends string> = Record<S, S[]>;

function describeMachine<S extends string>(what: string, machine: StateMachine<S>, ways: Ways<S>): void {
  const states = Object.keys(ways) as S[];
  const pairs = states.flatMap((from) => states.map((to): [S, S] => [from, to]));
  test.each(pairs)(`${what}: %s to %s`, (from, to) => {
    const allowed = ways[from];
    if (allowed.includes(to)) return expect(machine.moves(from, to)).toBe(true);
    if (from === to) return expect(machine.moves(from, to)).toBe(false);
    expect(() => machine.moves(from, to)).toThrow(
      expect.objectContaining({ code: 'invalid_state_transition', extra: { current_status: from, allowed } }),
    );
  });
}

describe('the whole state machine', () => {
  describeMachine('case', caseStates, { open: ['waiting', 'closed'], waiting: ['open', 'closed'], closed: ['open'] });
  describeMachine('directive', directiveStates, {
    issued: ['suspended', 'resolved'],
    suspended: ['issued', 'resolved'],
    resolved: [],
  });
});
