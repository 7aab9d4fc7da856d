import { readFileSync } from 'node:fs';

const palette = new URL('palette.css', import.meta.url);

/** The sheet after the colours that it uses by name. */
export function withPalette(sheet: string): string {
  return `${readFileSync(palette, 'utf8')}${sheet}`;
}
