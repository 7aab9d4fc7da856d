import type { Load, LoadResult } from '../loads/load.ts';
import { serveCommands } from './channel.ts';

// The load generator: executes one command.

// The parent sends nothing else.
function asLoad(command: unknown): Load {
  return command as Load;
}

/** Imports only what the load needs: a run starts a hundred of these processes, and most need no database. */
async function run(load: Load): Promise<LoadResult> {
  switch (load.kind) {
    case 'stored-batches':
      return (await import('../loads/database-loads.ts')).runStoredBatches(load);
    case 'api':
      return (await import('../loads/api-load.ts')).runApiLoad(load);
    case 'backlog':
      return (await import('../loads/backlog.ts')).runBacklog(load);
    case 'reads':
      return (await import('../loads/reads.ts')).runReads(load);
    default:
      return (await import('../loads/database-loads.ts')).runClaims(load);
  }
}

serveCommands((command) => run(asLoad(command)));
