import type { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, type FocusEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { type Entry, sameAs, shownFor } from './suggest-field.view.ts';

export const UNCHOSEN = 'Choose an entry of the list.';

type Props = Autocomplete.Root.Props<Entry>;
type RootProps = Pick<Props, 'value' | 'onValueChange' | 'open' | 'onOpenChange' | 'autoHighlight'> & {
  items: readonly Entry[];
};
type InputProps = ComponentProps<typeof Autocomplete.Input>;

export interface Suggested {
  /** The chosen value: a suggestion, a created one, or an empty text. */
  value: string;
  onChange: (value: string) => void;
  onFocus?: (() => void) | undefined;
  /** Undefined while they are read: nothing can be created before. */
  suggestions: readonly string[] | undefined;
  /** The saved value, which Escape restores. */
  initial?: string | undefined;
  onRestore?: (() => void) | undefined;
}

/** The typed text is no value until an entry is chosen. */
export function useSuggestions({ value, onChange, suggestions, initial = '', onRestore, onFocus }: Suggested) {
  const [isOpen, setOpen] = useState(false);
  /** The typed text, until an entry is chosen. */
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  const { text, isUnchosen, entries } = shownFor(value, typed, suggestions);
  const isShown = isOpen && entries.length > 0;
  const own = useInput(isUnchosen, onFocus);

  function choose(next: string): void {
    setTyped(undefined);
    setLeft(false);
    if (next !== value) onChange(next);
  }
  function type(next: string): void {
    const isEmpty = next.trim() === '';
    setTyped(isEmpty ? undefined : next);
    setLeft(false);
    // Enter then submits the empty field instead of choosing an entry.
    if (isEmpty) setOpen(false);
    const meant = isEmpty ? '' : (sameAs(suggestions ?? [], next) ?? initial);
    if (meant !== value) onChange(meant);
  }
  function leave({ relatedTarget }: FocusEvent): void {
    // Suggestions that arrive later don't open it.
    if (!isShown) setOpen(false);
    if (!isUnchosen) setTyped(undefined);
    // The text of the error would move the button away under the pointer; the form shows it.
    else if (!(relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit')) setLeft(true);
  }
  const onKeyDown: InputProps['onKeyDown'] = (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (isShown || isUnchosen)) {
      // Chooses an entry, or shows them; the form is not submitted.
      event.preventDefault();
      setOpen(true);
    }
    if (event.key === 'Escape' && (isShown || text !== initial)) {
      event.preventBaseUIHandler();
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      choose(initial);
      if (text !== initial) onRestore?.();
    }
  };
  const root: RootProps = {
    items: entries,
    value: text,
    onValueChange: (next, { reason }) => {
      if (reason === 'item-press') choose(next);
      else if (reason === 'input-change') type(next);
    },
    // An open list hides everything else from screen readers, also if it is empty.
    open: isShown,
    onOpenChange: setOpen,
    autoHighlight: isUnchosen ? 'always' : true,
  };
  return { root, input: { ...own, onBlur: leave, onKeyDown }, isLeft };
}

/** Selects the text on focus, and keeps a form from sending one that is not chosen. */
function useInput(isUnchosen: boolean, onFocus: (() => void) | undefined) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => ref.current?.setCustomValidity(isUnchosen ? UNCHOSEN : ''), [isUnchosen]);
  const isNew = useRef(false);
  return {
    ref,
    onFocus({ currentTarget }: FocusEvent<HTMLInputElement>) {
      isNew.current = true;
      currentTarget.select();
      onFocus?.();
    },
    /** The press that gives the focus places the cursor after it. */
    onClick({ currentTarget }: MouseEvent<HTMLInputElement>) {
      if (isNew.current && currentTarget.selectionStart === currentTarget.selectionEnd) currentTarget.select();
      isNew.current = false;
    },
  };
}
