import { useEffect } from 'react';

function placesOf(element: Element): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) places.push(at);
  }
  return places;
}

/**
 * Moves the focus to the surrounding region when the focused element is removed, such as the button of a completed
 * action. Otherwise keyboards and screen readers would start again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let places: HTMLElement[] = [];
    const note = ({ target }: FocusEvent): void => {
      places = target instanceof Element ? placesOf(target) : [];
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || places[0]?.isConnected !== false) return;
      places.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}
