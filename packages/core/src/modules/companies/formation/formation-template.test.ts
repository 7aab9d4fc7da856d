// Risk: a template has a step twice or none that is required, and its companies never or at once become active.
import { entityType } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { formationTemplate } from './formation-template.ts';

test.each(entityType.options)('%s has steps with unique slugs, of which some are required', (type) => {
  const steps = formationTemplate(type);
  const keys = steps.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key, label } of steps) {
    expect(key).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(label.length).toBeGreaterThan(3);
  }
  expect(steps.some(({ required }) => required)).toBe(true);
});

test('a company of no known type gets the steps of "other"', () => {
  expect(formationTemplate(null)).toBe(formationTemplate('other'));
});
