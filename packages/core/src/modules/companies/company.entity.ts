import { company } from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import { columnsOf, recordEntity } from '../../verbs/record-entity.ts';
import { defineStates } from '../../verbs/state-machine.ts';

/** Wires of this amount or more need approval; in minor units. */
export interface WireTerms {
  thresholdCents: number;
  currency: string;
}

/** Replaced terms apply to the wires of the person who replaced them, until someone else sets a threshold. */
interface PriorWireTerms extends WireTerms {
  personId: string;
}

const CompanySchema = recordEntity('Company', 'company', {
  ...columnsOf(company.omit({ formation: true })),
  wire_approval_threshold_cents: p.bigint('number'),
  prior_wire_terms: p.json().$type<PriorWireTerms[]>(),
});

/** Fields that a request sets as they are. */
export const companyFields = [
  'name',
  'legal_name',
  'entity_type',
  'jurisdiction',
  'tax_id_last4',
  'fiscal_year_end',
] as const;

export class Company extends CompanySchema.class {
  wireTerms(): WireTerms {
    return { thresholdCents: this.wire_approval_threshold_cents, currency: this.base_currency };
  }

  keepPriorTerms(before: WireTerms, personId: string): void {
    const now = this.wireTerms();
    const isSet = now.thresholdCents !== before.thresholdCents;
    if (!isSet && now.currency === before.currency) return;
    const own = this.prior_wire_terms.filter((terms) => terms.personId === personId);
    const others = isSet ? [] : this.prior_wire_terms.filter((terms) => terms.personId !== personId);
    this.prior_wire_terms = [...others, ...(own.length > 0 ? own : [{ ...before, personId }])];
  }
}
CompanySchema.setClass(Company);

export const companyStates = defineStates('company', { forming: ['active'], active: ['dissolved'], dissolved: [] });
