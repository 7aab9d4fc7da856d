import { type Core, cellOf, DomainError, isCellName, wrongCell } from '@finhook/core';
import type { FastifyRequest } from 'fastify';
import { CELL_HEADER } from '../http/problem.ts';

/** With the header a foreign credential is looked up: keys of a moved account name their former cell. Throws 421. */
export function checkCell(
  { cell }: Pick<Core, 'cell'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  credential: string,
): void {
  const named = cellOf(credential);
  if (named === undefined || named === cell || headers[CELL_HEADER] === cell) return;
  throw wrongCell(named);
}

/** For requests without a credential. Throws `wrong_cell` unless the header is absent, empty or this cell's name. */
export function checkNamedCell({ cell }: Pick<Core, 'cell'>, { headers }: Pick<FastifyRequest, 'headers'>): void {
  const named = headers[CELL_HEADER];
  if (named === undefined || named === '' || named === cell) return;
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
