import { BankFileError, type Position, positionAt } from '../errors.ts';
import { indexIn, type Step } from '../step.ts';

/** Aggregates that are read; fields of others belong to the nearest of these. */
const AGGREGATES = new Set(
  (
    'OFX STATUS STMTRS CCSTMTRS INVSTMTRS STMTTRN STMTTRNP LEDGERBAL AVAILBAL BANKACCTFROM CCACCTFROM INVACCTFROM PAYEE ' +
    'BANKACCTTO CCACCTTO ORIGCURRENCY CURRENCY'
  ).split(' '),
);

/** Never nested: where one starts, the end tag of the last is missing. */
const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);

const TRANSACTIONS = new Set(['STMTTRN', 'STMTTRNP']);

/** Fields with free text, which may contain an unescaped `<`. */
const TEXTS = new Set('NAME NAME2 EXTDNAME MEMO MEMO2'.split(' '));

/** Fields that may follow on the same line. */
const FIELDS = new Set(
  (
    'TRNTYPE DTPOSTED DTUSER DTAVAIL DTTRAN TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM SIC PAYEEID ' +
    'ADDR1 ADDR2 ADDR3 CITY STATE POSTALCODE COUNTRY PHONE IMAGEDATA INV401KSOURCE LOANACCTTO'
  ).split(' '),
);

export interface Aggregate {
  name: string;
  at: Position;
  fields: Map<string, string>;
  children: Aggregate[];
}

/** A field whose value may continue: a `<` in it is no tag. */
interface OpenField {
  name: string;
  value: string;
  into: Map<string, string>;
}

/** Reads OFX 1 (SGML) and OFX 2 (XML). Joined files give several elements OFX. @throws {BankFileError} */
export function readTree(text: string, step: Step): Aggregate {
  const document = newAggregate('', { line: 1, column: 1 });
  const open = new OpenAggregates(document, step);
  const tag = /<(\/?)([A-Za-z][\w.:-]{0,63})\s*(\/?)>([^<]*)/y;
  const positionOf = createLineCounter(text, step);
  let field: OpenField | undefined;
  for (let at = indexIn(text, '<', 0, step), next = 0; at !== -1; at = next) {
    tag.lastIndex = at;
    const found = tag.exec(text);
    const name = found?.[2]?.toUpperCase() ?? '';
    if (found === null || (field !== undefined && isText(name, field))) {
      // A declaration, a comment, or a `<` in a value.
      next = indexIn(text, '<', at + 1, step);
      if (field !== undefined && text[at + 1] !== '!' && text[at + 1] !== '?') {
        field.value += text.slice(at, next === -1 ? text.length : next);
      }
      continue;
    }
    const [all, slash, , empty, value = ''] = found;
    step(all.length);
    store(field);
    field = undefined;
    if (slash) open.close(name);
    else if (AGGREGATES.has(name)) {
      for (const others of [TRANSACTIONS, STATEMENTS])
        if (others.has(name)) for (const each of others) open.close(each);
      open.add(newAggregate(name, positionOf(at)), empty === '');
    } else if (empty === '') field = { name, value, into: open.last.fields };
    else store({ name, value, into: open.last.fields });
    next = indexIn(text, '<', at + all.length, step);
  }
  store(field);
  const [root] = document.children;
  if (root?.name !== 'OFX') throw new BankFileError('the file has no <OFX> element');
  if (open.has('OFX')) {
    throw new BankFileError('the file ends before </OFX>: it is truncated', positionAt(text, text.length));
  }
  return { ...document, at: root.at };
}

/** True if a tag within a text field is text: `A & B <C> & D`. */
function isText(name: string, { name: field, value }: OpenField): boolean {
  if (!TEXTS.has(field) || AGGREGATES.has(name) || TEXTS.has(name) || FIELDS.has(name)) return false;
  return name.length < 3 || /\S[ \t]+$/.test(value);
}

function store(field: OpenField | undefined): void {
  if (field !== undefined && !field.into.has(field.name)) field.into.set(field.name, unescape(field.value.trim()));
}

function newAggregate(name: string, at: Position): Aggregate {
  return { name, at, fields: new Map(), children: [] };
}

/** Open aggregates, counted by name, so that a stray end tag causes no search. */
class OpenAggregates {
  readonly #stack: Aggregate[] = [];
  readonly #counts = new Map<string, number>();
  readonly #step: Step;
  last: Aggregate;
  readonly #document: Aggregate;

  constructor(document: Aggregate, step: Step) {
    this.#document = document;
    this.last = document;
    this.#step = step;
  }

  add(aggregate: Aggregate, staysOpen: boolean): void {
    this.last.children.push(aggregate);
    if (!staysOpen) return;
    this.#stack.push(aggregate);
    this.#counts.set(aggregate.name, this.#countOf(aggregate.name) + 1);
    this.last = aggregate;
  }

  has(name: string): boolean {
    return this.#countOf(name) > 0;
  }

  /** Ends the innermost aggregate of the name, and all inside it. */
  close(name: string): void {
    if (!this.has(name)) return;
    for (let ended = this.#stack.pop(); ended !== undefined; ended = this.#stack.pop()) {
      this.#step(1);
      this.#counts.set(ended.name, this.#countOf(ended.name) - 1);
      if (ended.name === name) break;
    }
    this.last = this.#stack.at(-1) ?? this.#document;
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

/** Positions of ascending offsets in linear time. */
function createLineCounter(text: string, step: Step): (offset: number) => Position {
  let [line, start] = [1, 0];
  let end = indexIn(text, '\n', 0, step);
  return (offset) => {
    while (end !== -1 && end < offset) {
      line += 1;
      start = end + 1;
      end = indexIn(text, '\n', start, step);
    }
    return { line, column: offset - start + 1 };
  };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€' };

/** HTML's names for U+00A0 and above, which some banks use. */
const latinEntities = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute ' +
  'Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave ' +
  'iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ');

function unescape(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,6}[1-4]{0,2});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return characterOf(name) ?? all;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : all;
  });
}

function characterOf(name: string): string | undefined {
  const at = latinEntities.indexOf(name);
  const lower = name.toLowerCase();
  if (at !== -1) return lower === 'nbsp' ? ' ' : String.fromCodePoint(0xa0 + at);
  return lower === 'nbsp' ? ' ' : Object.hasOwn(entities, lower) ? entities[lower] : undefined;
}
