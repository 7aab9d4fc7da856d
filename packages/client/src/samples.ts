import { allEventTypes, eventDefinition, thinData } from '@finhook/contracts';

// `pack-client` replaces this file with its values.

type Samples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A valid `data` of each event type. */
export const samples: Samples = Object.fromEntries(allEventTypes.map((type) => [type, eventDefinition(type).sample]));

/** The same in the thin form. */
export const thinSamples: Samples = Object.fromEntries(
  allEventTypes.map((type) => [type, thinData(type, eventDefinition(type).sample)]),
);
