import type { Company } from '@finhook/contracts';

export interface TemplateStep {
  key: string;
  label: string;
  required: boolean;
}

type EntityType = NonNullable<Company['entity_type']>;

const required = (key: string, label: string): TemplateStep => ({ key, label, required: true });
const optional = (key: string, label: string): TemplateStep => ({ key, label, required: false });

const name = optional('name_reserved', 'Name reserved');
const agent = required('registered_agent_appointed', 'Registered agent appointed');
const ein = required('ein_issued', 'Employer identification number issued');
const bylaws = required('bylaws_adopted', 'Bylaws adopted');
const board = required('board_appointed', 'First directors appointed');
const stock = required('stock_issued', 'Founder stock issued');
const restricted = optional('section_83b_filed', '83(b) elections mailed');
const bank = optional('bank_account_opened', 'Bank account opened');
const incorporated = required('incorporation_filed', 'Certificate of incorporation filed');

const templates: Readonly<Record<EntityType, readonly TemplateStep[]>> = {
  c_corp: [name, agent, incorporated, bylaws, board, stock, restricted, ein, bank],
  s_corp: [
    name,
    agent,
    incorporated,
    bylaws,
    board,
    stock,
    ein,
    required('s_election_filed', 'S corporation election (Form 2553) filed'),
    bank,
  ],
  llc: [
    name,
    agent,
    required('articles_filed', 'Articles of organization filed'),
    required('operating_agreement_signed', 'Operating agreement signed'),
    ein,
    bank,
  ],
  lp: [
    name,
    agent,
    required('certificate_filed', 'Certificate of limited partnership filed'),
    required('partnership_agreement_signed', 'Partnership agreement signed'),
    ein,
    bank,
  ],
  nonprofit: [
    name,
    agent,
    required('articles_filed', 'Articles of incorporation filed'),
    bylaws,
    board,
    ein,
    required('tax_exemption_requested', 'Tax exemption (Form 1023) requested'),
    optional('charity_registered', 'Registered for charitable solicitation'),
    bank,
  ],
  sole_prop: [
    optional('trade_name_registered', 'Trade name registered'),
    required('business_registered', 'Business registered or licensed'),
    optional('ein_issued', 'Employer identification number issued'),
    bank,
  ],
  other: [
    required('formation_filed', 'Formation documents filed'),
    required('tax_id_issued', 'Tax number issued'),
    optional('governing_documents_signed', 'Governing documents signed'),
    bank,
  ],
};

export function formationTemplate(entityType: EntityType | null): readonly TemplateStep[] {
  return templates[entityType ?? 'other'];
}
