/** Separates the values of one search parameter. No label that a person writes has it. */
const SEPARATOR = '\u001F';

export function valuesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [...new Set(text.split(SEPARATOR))].filter((value) => value !== '');
}

export function joinValues(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(SEPARATOR);
}
