/**
 * What a client sent, as a sentence about it can hold it: at most `max` UTF-16 units, cut with `…`. What is no whole
 * character, sent so or cut so, becomes U+FFFD: strict parsers would refuse the whole answer for it.
 */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text.toWellFormed();
}
