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

/** Parts of lists, forms and dialogs, which the overview and the sign-in page do without. */
const kit = new RegExp(
  String.raw`/src/(?:${[
    String.raw`components/(?:columns\.view|connection-list|data-table|date-field|description-list|dialog|filter-[\w-]+|fold)`,
    'components/(?:leave-confirmation|links|money-input|record-link|table-head|tabs)',
    'lib/(?:keyset-rows|list-order|parse-day|parse-json|several|transaction-labels)',
    'lib/(?:use-min-width|use-printing|use-selection|use-stored-names)',
    String.raw`operation/(?!operations\.catalogue|use-)[\w.-]+`,
  ].join('|')})\.tsx?$`,
);
/** What opens on demand, and a field that few pages have. */
const onDemand = /\/src\/components\/(?:opened-[\w-]+|(?:use-)?suggest[\w.-]*|shell\/palette\/[\w.-]+)\.tsx?$/;
const everywhere = /\/src\/(?:(?:components|lib|operation)\/|search-names)|preload-helper/;
/** What the overview shares with other pages, and that needs nothing of the kit: pure code of pages, and two components. */
const figures =
  /\/src\/pages\/(?:(?:(?!import|settings|transactions\/transactions)[\w/.-]+(?:\.view|-queries)|settings\/webhooks\/use-endpoints)\.ts|overview\/(?:tile|spend\/spend-list)\.tsx|settings\/webhooks\/endpoint-health\.tsx)$/;

/** What several pages need is in few files: each file costs a request, and chunks by default are 40 on most pages. */
const chunks = [
  { name: 'app', priority: 5, test: (id: string) => everywhere.test(id) && !kit.test(id) && !onDemand.test(id) },
  { name: 'kit', priority: 4, test: kit },
  { name: 'figures', priority: 3, test: figures, minShareCount: 2 },
  // The code that the pages of a folder share.
  {
    name: (id: string): string | null => /\/src\/pages\/(?:settings\/)?([\w-]+)\//.exec(id)?.[1] ?? null,
    debugName: 'folder',
    priority: 1,
    minShareCount: 2,
  },
];

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
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
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
