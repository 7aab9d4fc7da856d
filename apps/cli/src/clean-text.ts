/** Characters that move the cursor, start an escape sequence, change the direction of text or are invisible. */
const unsafe = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0`;
const inLine = new RegExp(`[${unsafe}]+`, 'gv');
const inLines = new RegExp(`[[${unsafe}]--[\\n\\t]]+`, 'gv');
/** The only control characters in JSON outside of strings. */
const inJson = new RegExp(`[[${unsafe}]--[\\n\\t]]`, 'gv');

/** One line: a sequence of unsafe characters, line breaks and tabs becomes a space. */
export function plain(text: string): string {
  return text.replaceAll(inLine, ' ');
}

export function plainLines(text: string): string {
  return text.replaceAll(inLines, ' ');
}

/** Equivalent JSON: unsafe characters are escaped as \uXXXX. */
export function plainJson(json: string): string {
  return json.replaceAll(inJson, (character) => (character === '\r' ? ' ' : escaped(character)));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}
