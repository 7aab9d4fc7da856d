// Risk: a rule is about another text than the one that was shown, or an older rule wins over the newest.
import { expect, test } from 'vitest';
import { ruleText, withoutRule, withRule } from './flow-rules.view.ts';

test.each([
  [{ counterparty: 'Sequence  Partners', description: 'WIRE 8837' }, 'Sequence Partners'],
  [{ counterparty: 'ab', description: 'WIRE IN' }, 'WIRE IN'],
  [{ counterparty: null, description: 'x'.repeat(120) }, 'x'.repeat(100)],
  [{ counterparty: null, description: '' }, undefined],
])('the rule for %j is about %j', (transaction, text) => expect(ruleText(transaction)).toBe(text));

test('a new rule decides first and replaces one for the same text and direction; a removed rule leaves the others', () => {
  const rule = (contains: string, direction?: 'in' | 'out') => ({
    contains,
    flow_class: 'transfer' as const,
    ...(direction && { direction }),
  });
  const added = { ...rule('brex'), flow_class: 'counted' as const };
  const stored = { flow_rules: [rule('acme'), rule('brex'), rule('brex', 'in')] };
  expect(withRule(stored, added)).toEqual({ flow_rules: [added, rule('acme'), rule('brex', 'in')] });
  expect(withoutRule(stored, rule('brex'))).toEqual({ flow_rules: [rule('acme'), rule('brex', 'in')] });
  const named = { ...rule('brex'), category: 'cards' };
  expect(withRule({ flow_rules: [named] }, added)).toEqual({ flow_rules: [{ ...added, category: 'cards' }] });
  const byText = { contains: 'brex', category: 'cards' };
  expect(withRule(stored, byText).flow_rules?.[0]).toEqual({ ...rule('brex'), category: 'cards' });
  expect(withoutRule({ flow_rules: [named] }, rule('brex'))).toEqual({ flow_rules: [named] });
  // Somebody has changed its class since.
  expect(withoutRule({ flow_rules: [added] }, rule('brex'))).toEqual({ flow_rules: [added] });
});
