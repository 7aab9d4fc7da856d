import { fileURLToPath } from 'node:url';

/**
 * NODE_COMPILE_CACHE for programs that tests start, the same folder as of the script `start`: compiling the sources is half
 * of what a start costs.
 */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));
