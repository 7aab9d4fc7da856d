import type { Inputs } from '../../data/trpc.ts';
import { formText } from '../../ui/form.tsx';
import { parseMoney } from '../../ui/parse-money.ts';

export const entityTypes = ['c_corp', 's_corp', 'llc', 'lp', 'nonprofit', 'sole_prop', 'other'] as const;

/** What the fields hold: an empty one that may be empty is `null`; one that may not be is left to the service. */
type CompanyFields = { name: string } & Omit<Inputs['companies']['update'], 'company_id' | 'status' | 'metadata'>;

/** What a new company gets where these fields are left empty; one that is there can't be without them. */
const defaults = { country: 'US', base_currency: 'USD', timezone: 'UTC' };
const none = { country: '', base_currency: '', timezone: '' };

/** The zone that a new company's field begins with: the browser's, where its name says a place as the service asks. */
export function offeredZone(zone: string): string {
  return zone.includes('/') ? zone : defaults.timezone;
}

/** Reads the fields, or says what is wrong with the only one that is not sent as it was typed. */
export function readCompanyFields(data: FormData, isNew: boolean): CompanyFields | { thresholdFault: string } {
  const empty = isNew ? defaults : none;
  const currency = formText(data, 'base_currency')?.toUpperCase() ?? empty.base_currency;
  const typed = formText(data, 'threshold');
  // It can't be taken away, and nothing would come of an empty field.
  if (!isNew && typed === undefined)
    return { thresholdFault: 'Enter an amount. Use 0 to require approval for every wire.' };
  // Without a currency there is no amount to read: the service refuses the change at the currency.
  const threshold = typed === undefined || currency === '' ? undefined : parseMoney(typed, currency);
  if (threshold && 'fault' in threshold) return { thresholdFault: threshold.fault };
  return {
    name: formText(data, 'name') ?? '',
    legal_name: formText(data, 'legal_name') ?? null,
    entity_type: entityTypes.find((name) => name === formText(data, 'entity_type')) ?? null,
    country: formText(data, 'country')?.toUpperCase() ?? empty.country,
    jurisdiction: formText(data, 'jurisdiction')?.toUpperCase() ?? null,
    tax_id_last4: formText(data, 'tax_id_last4') ?? null,
    base_currency: currency,
    timezone: formText(data, 'timezone') ?? empty.timezone,
    fiscal_year_end: formText(data, 'fiscal_year_end') ?? null,
    ...(threshold ? { wire_approval_threshold_cents: threshold.cents } : {}),
  };
}
