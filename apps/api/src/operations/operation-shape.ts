import type { Operation } from '@finhook/contracts';
import { DomainError, shorten } from '@finhook/core';
import { z } from 'zod';

/** The fields of an operation's input. */
export function shapeOf(operation: Operation): Record<string, unknown> {
  const schema = operation.variant?.({}) ?? operation.input;
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** The names between braces in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** The refusal of a parameter that is none of those `known`. */
export function unknownParameter(name: string, known: readonly string[]): DomainError {
  const shown = shorten(name, 64);
  const list = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes none.';
  return new DomainError('unknown_parameter', { detail: `The query parameter ${shown} is unknown here. ${list}` });
}
