import { pathToFileURL } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

/**
 * Evaluates `x.catalogue.ts` at build time and puts the values of its exports in its place, so that the page loads plain
 * JSON and no zod.
 */
const catalogues: Plugin = {
  name: 'catalogues',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('.catalogue.ts')) return undefined;
    const values: unknown = await import(pathToFileURL(id).href);
    return Object.entries(values ?? {})
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n');
  },
};

/** Served by the api below `/dashboard/`. `vite dev` proxies to an api that runs beside it (`API_URL`). */
export default defineConfig({
  base: '/dashboard/',
  plugins: [catalogues, react(), tailwindcss()],
  // The XML parser looks for Node's streams, and works without.
  resolve: { alias: { stream: 'data:text/javascript,' } },
  build: {
    target: 'es2023',
    // Nothing is inlined: the content security policy allows files of our own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/trpc': api,
      '/api': api,
      '/dashboard/device-login': api,
      '/dashboard/session': api,
      '/dashboard/stream': api,
    },
  },
});
