// Risk: a record takes a step that its state forbids, or a repetition counts as a step.
import { expect, test } from 'vitest';
import { DomainError } from './domain-error.ts';
import { defineStates } from './state-machine.ts';

const door = defineStates('door', { open: ['shut'], shut: ['open', 'bricked_up'], bricked_up: [] });

test.each([
  ['open', 'shut', true],
  ['shut', 'open', true],
  ['shut', 'bricked_up', true],
  ['open', 'open', false],
  ['bricked_up', 'bricked_up', false],
] as const)('from %s to %s is a move: %s', (from, to, moves) => {
  expect(door.moves(from, to)).toBe(moves);
});

test.each([
  ['open', 'bricked_up', ['shut'], 'The door is open and cannot become bricked_up. From here it can become shut.'],
  ['bricked_up', 'open', [], 'The door is bricked_up and cannot become open. This state is final.'],
] as const)('from %s to %s is rejected with the ways that are open', (from, to, allowed, sentence) => {
  const move = () => door.moves(from, to);
  expect(move).toThrow(DomainError);
  expect(move).toThrow(sentence);
  expect(move).toThrow(expect.objectContaining({ extra: { current_status: from, allowed }, status: 409 }));
});
