import type { Company as CompanyRecord, Formation } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

/** From which amount a wire waits for approval, in minor units of a currency. */
export interface WireTerms {
  thresholdCents: number;
  currency: string;
}

/** The terms before a person changed them: they still bind that person's own wires, until another person sets a threshold. */
interface PriorWireTerms extends WireTerms {
  personId: string;
}

const CompanySchema = defineEntity({
  name: 'Company',
  tableName: 'company',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    name: p.text(),
    legalName: p.text().nullable(),
    entityType: p.text().$type<NonNullable<CompanyRecord['entity_type']>>().nullable(),
    country: p.text(),
    jurisdiction: p.text().nullable(),
    taxIdLast4: p.text().fieldName('tax_id_last4').nullable(),
    baseCurrency: p.text(),
    timezone: p.text(),
    fiscalYearEnd: p.text().nullable(),
    status: p.text().$type<CompanyRecord['status']>(),
    wireApprovalThresholdCents: p.bigint('number'),
    priorWireTerms: p.json().$type<PriorWireTerms[]>(),
    metadata: p.json().$type<Record<string, string>>(),
    dissolvedAt: p.datetime().nullable(),
    dissolutionReason: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A company whose financial surface is kept. */
export class Company extends CompanySchema.class {
  wireTerms(): WireTerms {
    return { thresholdCents: this.wireApprovalThresholdCents, currency: this.baseCurrency };
  }

  /** Remembers what the wires of `personId` go by from now on, where that person replaced the terms `before`. */
  keepPriorTerms(before: WireTerms, personId: string): void {
    const now = this.wireTerms();
    const isSet = now.thresholdCents !== before.thresholdCents;
    if (!isSet && now.currency === before.currency) return;
    const own = this.priorWireTerms.filter((terms) => terms.personId === personId);
    const others = isSet ? [] : this.priorWireTerms.filter((terms) => terms.personId !== personId);
    this.priorWireTerms = [...others, ...(own.length > 0 ? own : [{ ...before, personId }])];
  }

  /** The company as everyone may see it, with its formation as it is now. */
  toRecord(formation: Formation): CompanyRecord {
    return {
      id: this.id,
      object: 'company',
      account_id: this.accountId,
      name: this.name,
      legal_name: this.legalName ?? null,
      entity_type: this.entityType ?? null,
      country: this.country,
      jurisdiction: this.jurisdiction ?? null,
      tax_id_last4: this.taxIdLast4 ?? null,
      base_currency: this.baseCurrency,
      timezone: this.timezone,
      fiscal_year_end: this.fiscalYearEnd ?? null,
      status: this.status,
      formation,
      wire_approval_threshold_cents: this.wireApprovalThresholdCents,
      metadata: this.metadata,
      dissolved_at: this.dissolvedAt?.toISOString() ?? null,
      dissolution_reason: this.dissolutionReason ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
CompanySchema.setClass(Company);
