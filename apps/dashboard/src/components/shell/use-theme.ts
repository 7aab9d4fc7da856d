import { useState } from 'react';

/** `system` follows the operating system. `public/theme.js` applies the theme before the first paint. */
export type Theme = 'system' | 'light' | 'dark';

function stored(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function useTheme(): [Theme, (next: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(stored);
  return [
    theme,
    (next) => {
      setTheme(next);
      if (next === 'system') {
        delete document.documentElement.dataset['theme'];
        localStorage.removeItem('theme');
      } else {
        document.documentElement.dataset['theme'] = next;
        localStorage.setItem('theme', next);
      }
    },
  ];
}
