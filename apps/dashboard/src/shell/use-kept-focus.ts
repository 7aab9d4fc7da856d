import { useEffect } from 'react';

/** Whatever can hold the focus around an element, itself first. */
function placesOf(element: Element): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) places.push(at);
  }
  return places;
}

/**
 * When what has the focus goes away, such as the button of a move that was made, the part of the page around it takes
 * the focus: the keyboard and screen readers would begin anew at the top.
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
