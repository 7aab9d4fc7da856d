import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** True while the page is printed, or shown as it would be. The browser takes what is drawn when `beforeprint` ends. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    const change = (): void => setPrinting(media.matches);
    const start = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    media.addEventListener('change', change);
    addEventListener('beforeprint', start);
    addEventListener('afterprint', end);
    return () => {
      media.removeEventListener('change', change);
      removeEventListener('beforeprint', start);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
