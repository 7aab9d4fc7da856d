/** What a text holds as JSON, or what is wrong with it. Empty text holds nothing: `value` is undefined. */
export function parseJson(text: string | undefined): { value: unknown } | { fault: string } {
  if (text === undefined || text.trim() === '') return { value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'It cannot be read.';
    return { fault: `This is not JSON. ${why}` };
  }
}
