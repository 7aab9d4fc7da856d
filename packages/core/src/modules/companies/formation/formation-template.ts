import type { Company } from '@finhook/contracts';

export interface TemplateStep {
  key: string;
  label: string;
  required: boolean;
}

type EntityType = NonNullable<Company['entity_type']>;

const must = (key: string, label: string): TemplateStep => ({ key, label, required: true });
const may = (key: string, label: string): TemplateStep => ({ key, label, required: false });

const name = may('name_reserved', 'Name reserved');
const agent = must('registered_agent_appointed', 'Registered agent appointed');
const ein = must('ein_issued', 'Employer identification number issued');
const bylaws = must('bylaws_adopted', 'Bylaws adopted');
const board = must('board_appointed', 'First directors appointed');
const stock = must('stock_issued', 'Founder stock issued');
const restricted = may('section_83b_filed', '83(b) elections mailed');
const bank = may('bank_account_opened', 'Bank account opened');
const incorporated = must('incorporation_filed', 'Certificate of incorporation filed');

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
    must('s_election_filed', 'S corporation election (Form 2553) filed'),
    bank,
  ],
  llc: [
    name,
    agent,
    must('articles_filed', 'Articles of organization filed'),
    must('operating_agreement_signed', 'Operating agreement signed'),
    ein,
    bank,
  ],
  lp: [
    name,
    agent,
    must('certificate_filed', 'Certificate of limited partnership filed'),
    must('partnership_agreement_signed', 'Partnership agreement signed'),
    ein,
    bank,
  ],
  nonprofit: [
    name,
    agent,
    must('articles_filed', 'Articles of incorporation filed'),
    bylaws,
    board,
    ein,
    must('tax_exemption_requested', 'Tax exemption (Form 1023) requested'),
    may('charity_registered', 'Registered for charitable solicitation'),
    bank,
  ],
  sole_prop: [
    may('trade_name_registered', 'Trade name registered'),
    must('business_registered', 'Business registered or licensed'),
    may('ein_issued', 'Employer identification number issued'),
    bank,
  ],
  other: [
    must('formation_filed', 'Formation documents filed'),
    must('tax_id_issued', 'Tax number issued'),
    may('governing_documents_signed', 'Governing documents signed'),
    bank,
  ],
};

export function formationTemplate(entityType: EntityType | null): readonly TemplateStep[] {
  return templates[entityType ?? 'other'];
}
