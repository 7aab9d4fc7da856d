import type { Outputs } from '../../lib/trpc.ts';
import type { Settings, SettingsChange } from '../../operation/use-change-settings.ts';

type Transaction = Outputs['bank']['transactions']['get'];
export type FlowRule = Settings['flow_rules'][number];

export const MOST_RULES = 100;
const SHORTEST_RULE = 3;
const LONGEST_RULE = 100;

export function ruleText({
  counterparty,
  description,
}: Pick<Transaction, 'counterparty' | 'description'>): string | undefined {
  const texts = [counterparty ?? '', description].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const text = texts.find(({ length }) => length >= SHORTEST_RULE);
  return text === undefined ? undefined : Array.from(text).slice(0, LONGEST_RULE).join('').trim();
}

/** Puts the rule first, in place of one for the same text and direction, of which it keeps what it does not set. */
export function withRule({ flow_rules: rules }: Pick<Settings, 'flow_rules'>, rule: FlowRule): SettingsChange {
  const isSame = ({ contains, direction }: FlowRule): boolean =>
    contains === rule.contains && direction === rule.direction;
  const category = rules.find((one) => isSame(one) && one.category != null)?.category;
  const flow_class = rules.find((one) => isSame(one) && one.flow_class != null)?.flow_class;
  const kept = { ...(category != null && { category }), ...(flow_class != null && { flow_class }) };
  return { flow_rules: [{ ...kept, ...rule }, ...rules.filter((one) => !isSame(one))] };
}

export function withoutRule({ flow_rules: rules }: Pick<Settings, 'flow_rules'>, rule: FlowRule): SettingsChange {
  const isOther = (one: FlowRule): boolean =>
    one.contains !== rule.contains ||
    one.direction !== rule.direction ||
    one.flow_class !== rule.flow_class ||
    one.category !== rule.category;
  return { flow_rules: rules.filter(isOther) };
}

export const directionNames = { in: 'Money in', out: 'Money out' } as const;
