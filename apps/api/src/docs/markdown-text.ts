/** A cell of a Markdown table is one line, in which `|` is escaped. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** Neighbouring blocks with labels become one with a switch. */
export function fence(language: string, text: string, label = ''): string {
  return `\`\`\`${`${language} ${label}`.trim()}\n${text}\n\`\`\``;
}

export function json(value: unknown): string {
  return fence('json', JSON.stringify(value, null, 2));
}

export function blocks(...parts: readonly (string | false | undefined)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

export function section(title: string, ...parts: readonly (string | false | undefined)[]): string | undefined {
  const content = parts.filter(Boolean);
  return content.length === 0 ? undefined : [`## ${title}`, ...content].join('\n\n');
}
