import { useEffect, useEffectEvent } from 'react';
import { buttonClass } from '../button.tsx';
import { DialogHost, useOpenDialog } from '../dialog-host.tsx';
import { loadPalette, SearchDialog } from './search-dialog.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the palette, which loads when it is first used and closes with the page. */
export function SearchButton(): React.JSX.Element {
  return (
    <DialogHost>
      <Trigger />
    </DialogHost>
  );
}

function Trigger(): React.JSX.Element {
  const openDialog = useOpenDialog();
  const open = (): void => openDialog((close) => <SearchDialog onClose={close} />);
  useShortcut(open);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K /"
      onPointerEnter={() => void loadPalette()}
      onFocus={() => void loadPalette()}
      onClick={open}
      className={`${buttonClass('plain', 'small')} font-normal text-muted md:w-48 xl:w-64 md:justify-start`}
    >
      <SearchIcon />
      <span className="sr-only flex-1 text-left md:not-sr-only">Search</span>
      <kbd aria-hidden className="hidden rounded border px-1 text-xs md:inline">
        {isApple ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}

function SearchIcon(): React.JSX.Element {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4 fill-none stroke-current stroke-2">
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" />
    </svg>
  );
}

const FIELDS = 'input, textarea, select, [contenteditable]';

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey && !shiftKey;
  const isTyping = target instanceof Element && target.closest(FIELDS) !== null;
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping;
}

/** Ctrl+K, Cmd+K, and / outside of fields. A form in a dialog keeps the focus: its text would be lost. */
function useShortcut(onPress: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || !isShortcut(event) || document.querySelector('[role="dialog"] form') !== null) return;
    event.preventDefault();
    onPress();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
