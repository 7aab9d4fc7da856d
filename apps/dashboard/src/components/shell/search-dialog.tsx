import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { searchBox } from './search-box.ts';
import { withKey } from './type-ahead.ts';

export const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

/** The palette. It has what was typed before its code was there. */
export function SearchDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const [typed, setTyped] = useState('');
  const [isReady, setReady] = useState(false);
  useTypeAhead(!isReady, setTyped, onClose);
  return (
    <Suspense fallback={<Opening typed={typed} />}>
      <Palette typed={typed} onType={setTyped} onReady={() => setReady(true)} onClose={onClose} />
    </Suspense>
  );
}

/** Stands in the palette's place while its code loads. */
function Opening({ typed }: { typed: string }): React.ReactNode {
  return createPortal(
    <>
      <div className={searchBox.backdrop} />
      <div role="status" aria-label="Opening the search" className={searchBox.popup}>
        <span className={`flex items-center ${searchBox.input} ${typed === '' ? 'text-muted' : ''}`}>
          {typed === '' ? searchBox.placeholder : typed}
        </span>
      </div>
    </>,
    document.body,
  );
}

/** Keeps what is typed and pasted while no field has the focus; the part of the page that has it gets no key. */
function useTypeAhead(isOn: boolean, onType: (change: (text: string) => string) => void, onEscape: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const change = withKey(event);
    if (change === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onEscape();
    else onType(change);
  });
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text') ?? '';
    onType((before) => before + text);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => press(event);
    const onPaste = (event: ClipboardEvent): void => paste(event);
    addEventListener('keydown', onKey, true);
    addEventListener('paste', onPaste, true);
    return () => {
      removeEventListener('keydown', onKey, true);
      removeEventListener('paste', onPaste, true);
    };
  }, [isOn]);
}
