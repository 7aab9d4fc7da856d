// Risk: a template repeats a step or requires none, so that its companies become active never or at once.
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

test('a company without a type gets the steps of "other"', () => {
  expect(formationTemplate(null)).toBe(formationTemplate('other'));
});
