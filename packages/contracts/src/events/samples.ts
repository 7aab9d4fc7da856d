/** Fixed values that the catalogue's samples share. */
const suffix = '01kgw3q2m8v7d5n0r4t6x9zabc';
export const at = '2026-03-02T09:30:00.000Z';
export const sampleId = (prefix: string): string => `${prefix}_${suffix}`;
export const sampleActor = { type: 'api_key' as const, id: sampleId('key'), name: 'Backend' };
