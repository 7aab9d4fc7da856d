export type Layout = string | BracketedList;

export interface BracketedList {
  open: string;
  close: string;
  /** A label precedes the value, such as `name: `. */
  items: readonly { label: string; value: Layout }[];
  /** Several lines even if it fits on one. */
  expanded?: boolean;
}

export interface LayoutStyle {
  indent: string;
  width: number;
  /** Aligns the values of successive lines, as gofmt does. */
  aligned?: boolean;
}

function onOneLine(layout: Layout): string {
  if (typeof layout === 'string') return layout;
  const { open, close, items } = layout;
  if (items.length === 0) return open.trimEnd() + close.trimStart();
  return open + items.map(({ label, value }) => label + onOneLine(value)).join(', ') + close;
}

function isExpanded(layout: Layout): boolean {
  return typeof layout !== 'string' && (layout.expanded || layout.items.some(({ value }) => isExpanded(value)));
}

/** One line if it fits, else one per item. `column` is where the layout begins. */
export function write(layout: Layout, style: LayoutStyle, column = 0, margin = ''): string {
  const line = onOneLine(layout);
  if (typeof layout === 'string') return line;
  if (layout.items.length === 0 || (!isExpanded(layout) && column + line.length <= style.width)) return line;
  const inner = margin + style.indent;
  const lines = layout.items.map(({ label, value }) => ({
    label,
    text: write(value, style, inner.length + label.length + 1, inner),
  }));
  const padded = style.aligned ? align(lines) : lines;
  return [
    layout.open.trimEnd(),
    ...padded.map(({ label, text }) => `${inner}${label}${text},`),
    margin + layout.close.trimStart(),
  ].join('\n');
}

interface Line {
  label: string;
  text: string;
}

function align(lines: readonly Line[]): Line[] {
  const isShort = ({ text }: Line) => !text.includes('\n');
  const widthAt = (index: number): number => {
    let [first, last] = [index, index];
    while (lines.slice(first - 1, first).some(isShort)) first -= 1;
    while (lines.slice(last + 1, last + 2).some(isShort)) last += 1;
    return Math.max(...lines.slice(first, last + 1).map(({ label }) => label.length));
  };
  return lines.map((line, index) => (isShort(line) ? { ...line, label: line.label.padEnd(widthAt(index)) } : line));
}
