import { currencyExponent } from '@finhook/contracts/currency';
import { type DecimalMark, type Read, readCents } from '../values.ts';

/** How the marks of an amount are known. */
type Marks =
  /** By the amount itself, or it has none. */
  | { kind: 'clear'; decimal: DecimalMark | undefined }
  /** `1,234`: the mark may group thousands or separate decimals. */
  | { kind: 'open'; mark: DecimalMark };

function marksOf(text: string): Marks {
  const digits = text.replaceAll(/[^\d.,]/g, '').slice(0, 60);
  const marks = digits.replaceAll(/\d/g, '');
  const last = marks.endsWith(',') ? ',' : '.';
  if (marks === '') return { kind: 'clear', decimal: undefined };
  const isRepeated = marks.length > 1 && !marks.includes(otherOf(last));
  if (isRepeated) return { kind: 'clear', decimal: otherOf(last) };
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? { kind: 'open', mark: last } : { kind: 'clear', decimal: last };
}

function otherOf(mark: DecimalMark): DecimalMark {
  return mark === '.' ? ',' : '.';
}

/**
 * The amounts of a file. OFX groups no thousands, but banks do: three digits after a lone mark are settled by the other
 * amounts, if these have decimals and all the same mark for them.
 */
export class OfxAmounts {
  readonly #decimals: ReadonlySet<DecimalMark>;
  /** The first amount that stays open, and is read as the decimal mark of the reading says. */
  open: string | undefined;

  /** @param texts all amounts of the file */
  constructor(texts: Iterable<string>) {
    const decimals = new Set<DecimalMark>();
    for (const text of texts) {
      const marks = marksOf(text);
      if (marks.kind === 'clear' && marks.decimal !== undefined) decimals.add(marks.decimal);
    }
    this.#decimals = decimals;
  }

  /** @param decimal mark of the decimals, where the file leaves it open */
  read(text: string, currency: string, decimal: DecimalMark): Read<number> {
    const marks = marksOf(text);
    if (marks.kind === 'clear') return readCents(text, currency, marks.decimal);
    const [known, ...others] = this.#decimals;
    // Three decimals are those of the currency, or of nobody.
    const isSettled = others.length === 0 && (known !== marks.mark || currencyExponent(currency) === 3);
    if (known !== undefined && isSettled) return readCents(text, currency, known);
    this.open ??= text;
    return readCents(text, currency, decimal);
  }
}
