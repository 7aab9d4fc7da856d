import { exitWithSentence } from './exit-with-sentence.ts';
import { findOrStart } from './find-or-start.ts';
import { runTour, type Sight } from './tour/run-tour.ts';

/** One line of what a person reads: event, cause, and whether it came as the documents say. */
function describeSight({ type, cause, latencyMs, faults }: Sight): string {
  const result = latencyMs === undefined ? 'MISSING' : `received after ${latencyMs} ms, verified, valid`;
  return `  ${type.padEnd(36)} ${cause.padEnd(64)} ${faults.length === 0 ? result : `WRONG: ${faults.join('; ')}`}`;
}

const cleanUp = new AsyncDisposableStack();
try {
  const sights = await runTour(await findOrStart('tour', cleanUp), (sight) => console.log(describeSight(sight)));
  const good = sights.filter(({ latencyMs, faults }) => latencyMs !== undefined && faults.length === 0);
  console.log(`\n${good.length} of ${sights.length} events were caused, received, verified and valid.`);
  process.exitCode = good.length === sights.length && sights.length > 0 ? 0 : 1;
} catch (error) {
  await cleanUp.disposeAsync();
  exitWithSentence(error);
}
await cleanUp.disposeAsync();
