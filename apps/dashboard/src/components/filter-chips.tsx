import { useRef } from 'react';
import { visibleText } from '../lib/text.ts';

export interface Chip {
  name: string;
  text: string;
  /** The chip with which it goes. */
  needs?: string | undefined;
}

/** Filters that are set although their controls are not in view. */
export function FilterChips({ chips, onRemove }: { chips: readonly Chip[]; onRemove: (name: string) => void }) {
  const list = useRef<HTMLUListElement>(null);
  function remove(at: number, name: string): void {
    const buttons = list.current?.querySelectorAll('button');
    // The pressed button is about to go, and the focus with it.
    const others = [...chips.slice(at + 1), ...chips.slice(0, at).toReversed()];
    const next = others.find(({ needs }) => needs !== name);
    const target = next ? buttons?.item(chips.indexOf(next)) : list.current?.parentElement?.querySelector('summary');
    target?.focus();
    onRemove(name);
  }
  if (chips.length === 0) return null;
  return (
    <ul ref={list} aria-label="Set filters" className="flex flex-wrap gap-2">
      {chips.map(({ name, text }, at) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            onClick={() => remove(at, name)}
            className="inline-flex min-h-8 max-w-full items-center gap-2 rounded-full border bg-info-soft px-3 text-left text-sm text-info hover:brightness-95"
          >
            <span className="sr-only">Remove filter </span>
            <span className="min-w-0 wrap-anywhere">{visibleText(text)}</span>
            <span aria-hidden>×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
