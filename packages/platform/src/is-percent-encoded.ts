/** Whether a part of a URL can be decoded: a `%` that is no escape of UTF-8 ends a driver with an error that has no name. */
export function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
