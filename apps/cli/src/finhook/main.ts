import module from 'node:module';

// For modules imported later. Node 20 has none.
module.enableCompileCache?.();
const { runProcess } = await import('./run-command.ts');
await runProcess(process.argv.slice(2));
