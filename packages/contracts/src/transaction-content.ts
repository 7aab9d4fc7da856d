/** Rules by which a bank transaction is known by its content: the importer of bank files and the service share them. */

/** The longest `external_id`. */
const MAX_ID = 255;
/** A hyphen and 16 hexadecimal digits. */
const SUFFIX_LENGTH = 17;
const SUFFIX = /-[0-9a-f]{16}$/;

/** The part of a reference that an id with a suffix has room for. */
export function stemOf(reference: string): string {
  return reference.slice(0, MAX_ID - SUFFIX_LENGTH).toWellFormed();
}

/** An id of at most 255 characters for a row whose reference is another row's; `hex` are 16 digits. */
export function withSuffix(reference: string, hex: string): string {
  return `${stemOf(reference)}-${hex}`;
}

/** The reference of an id with a suffix; undefined for an id without one. */
export function withoutSuffix(id: string): string | undefined {
  return SUFFIX.test(id) ? id.slice(0, -SUFFIX_LENGTH) : undefined;
}

interface Texts {
  description: string;
  counterparty?: string | null | undefined;
}

/** The words of a row's texts, each once, in an order that does not depend on the format they come from. */
export function wordsOf({ description, counterparty }: Texts): string {
  const text = `${description} ${counterparty ?? ''}`.normalize('NFKC').toLowerCase();
  return [...new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu))].sort().join(' ');
}
