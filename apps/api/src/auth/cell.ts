import { type Core, cellOf, DomainError, isCellName, wrongCell } from '@finhook/core';
import type { FastifyRequest } from 'fastify';
import { CELL_HEADER } from '../http/problem.ts';

/**
 * Throws `wrong_cell` (421) for a credential that names another cell, before it is looked up. With the header, the look-up
 * decides: the keys of an account that was moved here name the cell that it came from.
 */
export function checkCell(
  { cell }: Pick<Core, 'cell'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  credential: string,
): void {
  const named = cellOf(credential);
  if (named === undefined || named === cell || headers[CELL_HEADER] === cell) return;
  throw wrongCell(named);
}

/** Throws `wrong_cell` if a request without a credential is for another cell than this one. */
export function checkNamedCell({ cell }: Pick<Core, 'cell'>, { headers }: Pick<FastifyRequest, 'headers'>): void {
  const named = headers[CELL_HEADER];
  if (named === undefined || named === '' || named === cell) return;
  // Not repeated: the response has the name in a header.
  if (typeof named !== 'string' || !isCellName(named)) {
    throw new DomainError('wrong_cell', {
      detail: `The header ${CELL_HEADER} must be the name of a cell: a lower-case letter, then up to 11 lower-case letters and digits.`,
    });
  }
  throw new DomainError('wrong_cell', {
    detail: `The request is for the cell ${named}, and this is ${cell === '' ? 'an installation without cells' : `the cell ${cell}`}. Correct the name of the cell.`,
    extra: { cell: named },
  });
}
