import { allEventTypes, eventDefinition, thinData } from '@finhook/contracts';

// `pack-client` replaces this file with its values.

type Samples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const samples: Samples = Object.fromEntries(allEventTypes.map((type) => [type, eventDefinition(type).sample]));

export const thinSamples: Samples = Object.fromEntries(
  allEventTypes.map((type) => [type, thinData(type, eventDefinition(type).sample)]),
);
