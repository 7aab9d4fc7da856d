type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>;

const same = (text: string): string => text;

/**
 * What a key does to a text that is typed without a field; undefined for the browser's own shortcuts. Enter and Tab change
 * nothing, but must not reach what has the focus.
 */
export function withKey(event: Key): ((text: string) => string) | undefined {
  const { key } = event;
  // AltGr, which types many characters, counts as Ctrl with Alt on Windows.
  const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
  if (isShortcut) return undefined;
  if (key === 'Backspace') return (text) => text.replace(/.$/su, '');
  if (key === 'Enter' || key === 'Tab' || key === 'Escape') return same;
  return /^.$/su.test(key) ? (text) => text + key : undefined;
}
