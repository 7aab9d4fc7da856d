import { DomainError } from '../../verbs/domain-error.ts';
import { CELL_NAME, isWellFormedKey } from './api-keys/key-format.ts';

const NAMED_KEY = new RegExp(`^sk_(?:live|test)_(${CELL_NAME})_`);
const NAMED_TOKEN = new RegExp(`^(${CELL_NAME})\\.[A-Za-z0-9_-]{43}$`);

const WHOLE_NAME = new RegExp(`^${CELL_NAME}$`);

export function isCellName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

/** The cell named by an API key or by the token of a session, link or login, if any. */
export function cellOf(credential: string): string | undefined {
  const [, ofKey] = NAMED_KEY.exec(credential) ?? [];
  if (ofKey !== undefined) return isWellFormedKey(credential) ? ofKey : undefined;
  return NAMED_TOKEN.exec(credential)?.[1];
}

export function wrongCell(cell: string): DomainError {
  return new DomainError('wrong_cell', {
    detail: `The account of this request is in the cell ${cell}. Send the request there, or to the proxy in front of all cells.`,
    extra: { cell },
  });
}
