import { currencyExponent } from '@finhook/contracts/currency';
import { type DecimalMark, type Read, readCents } from '../values.ts';

type Marks =
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

/** OFX has no grouping, but banks use it: other amounts of the file decide about three digits after a lone mark. */
export class OfxAmounts {
  readonly #decimals: ReadonlySet<DecimalMark>;
  /** The first ambiguous amount, which is read by the reading's decimal mark. */
  open: string | undefined;

  constructor(texts: Iterable<string>) {
    const decimals = new Set<DecimalMark>();
    for (const text of texts) {
      const marks = marksOf(text);
      if (marks.kind === 'clear' && marks.decimal !== undefined) decimals.add(marks.decimal);
    }
    this.#decimals = decimals;
  }

  /** @param decimal mark for ambiguous amounts */
  read(text: string, currency: string, decimal: DecimalMark): Read<number> {
    const marks = marksOf(text);
    if (marks.kind === 'clear') return readCents(text, currency, marks.decimal);
    const [known, ...others] = this.#decimals;
    // Three digits follow the mark, which are decimals only in a currency with three.
    const isSettled = others.length === 0 && (known !== marks.mark || currencyExponent(currency) === 3);
    if (known !== undefined && isSettled) return readCents(text, currency, known);
    this.open ??= text;
    return readCents(text, currency, decimal);
  }
}
