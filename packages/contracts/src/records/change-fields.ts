import { z } from 'zod';

export const changeFields = {
  changed: z.array(z.string()).describe('Names of the fields that changed.'),
  previous: z.record(z.string(), z.unknown()).describe('Previous value of each changed field.'),
};
