import module from 'node:module';

// Only modules that are imported later come from the cache. Node 20 has none.
module.enableCompileCache?.();
const { runProcess } = await import('./run-process.ts');
await runProcess(process.argv.slice(2));
