/** Identity of bank transactions by content, shared by the importer of bank files and the service. */

const MAX_ID = 255;
/** A hyphen and 16 hexadecimal digits. */
const SUFFIX_LENGTH = 17;
const SUFFIX = /-[0-9a-f]{16}$/;

export function stemOf(reference: string): string {
  return reference.slice(0, MAX_ID - SUFFIX_LENGTH).toWellFormed();
}

/** The id of a row whose reference another row has; `hex` are 16 digits. */
export function withSuffix(reference: string, hex: string): string {
  return `${stemOf(reference)}-${hex}`;
}

export function withoutSuffix(id: string): string | undefined {
  return SUFFIX.test(id) ? id.slice(0, -SUFFIX_LENGTH) : undefined;
}

interface Texts {
  description: string;
  counterparty?: string | null | undefined;
}

/** The distinct words of a row's texts, in the same order for every file format. */
export function wordsOf({ description, counterparty }: Texts): string {
  const text = `${description} ${counterparty ?? ''}`.normalize('NFKC').toLowerCase();
  return [...new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu))].sort().join(' ');
}
