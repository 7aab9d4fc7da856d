import sax from 'sax';
import { BankFileError, type Position } from '../errors.ts';
import type { Step } from '../step.ts';

export interface XmlElement {
  /** Without its prefix. */
  name: string;
  at: Position;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 64;
/** Parts of this size keep the parser's limit of a single token effective. */
const PART = 65_536;

/** The end of a document that another follows. */
const documentEnd = /<\/(?:[\w-]+:)?Document\s*>\s*(?=<(?:\?xml\b|(?:[\w-]+:)?Document\b))/g;

/**
 * Parses concatenated documents; rejects document types, which define entities. @throws {BankFileError} if malformed
 */
export function parseXml(text: string, step: Step): XmlElement[] {
  step(text.length);
  const starts = [0, ...Array.from(text.matchAll(documentEnd), ({ index, 0: { length } }) => index + length)];
  const at = { line: 1, column: 1 };
  return starts.map((start, i) => {
    const document = text.slice(start, starts[i + 1]);
    const root = parseDocument(document, at, step);
    advance(at, document, step);
    return root;
  });
}

function advance(at: Position, text: string, step: Step): void {
  step(text.length);
  const lines = text.split('\n');
  at.line += lines.length - 1;
  at.column = (lines.at(-1)?.length ?? 0) + (lines.length === 1 ? at.column : 1);
}

function parseDocument(text: string, start: Position, step: Step): XmlElement {
  const parser = sax.parser(true);
  const position = (): Position => ({
    line: parser.line + start.line,
    column: parser.column + (parser.line === 0 ? start.column : 1),
  });
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.ondoctype = () => {
    throw new BankFileError('the document has a DOCTYPE, which bank files do not have', position());
  };
  parser.onopentag = ({ name, attributes }) => {
    step(1 + Object.keys(attributes).length);
    if (stack.length === MAX_DEPTH) throw new BankFileError(`elements are nested deeper than ${MAX_DEPTH}`, position());
    const element: XmlElement = {
      name: localName(name),
      at: position(),
      attributes: textsOf(attributes),
      children: [],
      text: '',
    };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  };
  parser.onclosetag = () => void stack.pop();
  const addText = (part: string): void => {
    const open = stack.at(-1);
    if (open) open.text += part;
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the parser is no event target
  parser.ontext = addText;
  parser.oncdata = addText;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the parser is no event target
  parser.onerror = (error) => {
    throw new BankFileError(`not well-formed XML: ${error.message.split('\n')[0] ?? ''}`, position());
  };
  try {
    for (let at = 0; at < text.length; at += PART) {
      step(Math.min(PART, text.length - at));
      parser.write(text.slice(at, at + PART));
    }
    parser.close();
  } catch (error) {
    if (error instanceof BankFileError) throw error;
    // The parser itself throws, for example at an attribute named like a method that it calls.
    throw new BankFileError('the XML parser cannot read what stands here', position());
  }
  if (!root) throw new BankFileError('the document has no element');
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function textsOf(attributes: Record<string, string | { value: string }>): Record<string, string> {
  const entries = Object.entries(attributes);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : value.value]));
}

export class XmlReader {
  readonly #step: Step;

  constructor(step: Step) {
    this.#step = step;
  }

  childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
    this.#step(element?.children.length ?? 0);
    return element?.children.filter((child) => name === undefined || child.name === name) ?? [];
  }

  /** The first element at a path like `Acct/Id/IBAN`. */
  find(element: XmlElement | undefined, path: string): XmlElement | undefined {
    return path.split('/').reduce((found: XmlElement | undefined, name) => this.#childOf(found, name), element);
  }

  /** The first non-empty text of several paths. */
  textAt(element: XmlElement | undefined, ...paths: string[]): string {
    for (const path of paths) {
      const text = this.find(element, path)?.text ?? '';
      this.#step(text.length);
      const trimmed = text.trim();
      if (trimmed !== '') return trimmed;
    }
    return '';
  }

  #childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
    const children = element?.children ?? [];
    const at = children.findIndex((child) => child.name === name);
    this.#step(at === -1 ? children.length : at + 1);
    return children[at];
  }
}
