import { runApiLoad } from '../loads/api-load.ts';
import { runBareHttp } from '../loads/bare-http.ts';
import { runClaims } from '../loads/claims.ts';
import { runEmptyJobs } from '../loads/empty-jobs.ts';
import type { Load, LoadResult } from '../loads/load.ts';
import { runReads } from '../loads/reads.ts';
import { runSignedSends } from '../loads/signed-sends.ts';
import { runSqlLoad } from '../loads/sql-load.ts';
import { runStoredBatches } from '../loads/stored-batches.ts';
import { answerCommands } from './channel.ts';

// The load generator: one command, which says what to do, and its result.

// The parent sends nothing else.
function asLoad(command: unknown): Load {
  return command as Load;
}

function run(load: Load): Promise<LoadResult> {
  if (load.kind === 'bare-http') return runBareHttp(load);
  if (load.kind === 'signed-sends') return runSignedSends(load);
  if (load.kind === 'stored-batches') return runStoredBatches(load);
  if (load.kind === 'api') return runApiLoad(load);
  if (load.kind === 'empty-jobs') return runEmptyJobs(load);
  if (load.kind === 'reads') return runReads(load);
  if (load.kind === 'claims') return runClaims(load);
  return runSqlLoad(load);
}

answerCommands((command) => run(asLoad(command)));
