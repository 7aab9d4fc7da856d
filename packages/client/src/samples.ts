import { allEventTypes, eventDefinition } from '@finhook/contracts';

// `pack-client` replaces this file with its value.

/** A valid `data` of each event type. */
export const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  allEventTypes.map((type) => [type, eventDefinition(type).sample]),
);
