/* oxlint-disable import/no-default-export -- as Next.js wants it */
import { fileURLToPath } from 'node:url';

export default {
  // The receiver's own packages are bundled from their sources, two folders up.
  turbopack: { root: fileURLToPath(new URL('../../..', import.meta.url)) },
};
