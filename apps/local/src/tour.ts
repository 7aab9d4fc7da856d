import { runOnTarget } from './run-on-target.ts';
import { runTour, type Sight } from './tour/run-tour.ts';

/** One line of what a person reads: event, cause, and whether it came as the documents say. */
function describeSight({ type, cause, latencyMs, faults }: Sight): string {
  const result = latencyMs === undefined ? 'MISSING' : `received after ${latencyMs} ms, verified, valid`;
  return `  ${type.padEnd(36)} ${cause.padEnd(64)} ${faults.length === 0 ? result : `WRONG: ${faults.join('; ')}`}`;
}

await runOnTarget('tour', async (target, ending) => {
  const sights = await runTour(target, (sight) => console.log(describeSight(sight)), ending);
  const good = sights.filter(({ latencyMs, faults }) => latencyMs !== undefined && faults.length === 0);
  console.log(`\n${good.length} of ${sights.length} events were caused, received, verified and valid.`);
  return good.length === sights.length && sights.length > 0;
});
