import {
  type Actor,
  type Directive as DirectiveRecord,
  directive as directiveSchema,
  type operations,
} from '@finhook/contracts';
import { type EntityManager, p } from '@mikro-orm/postgresql';
import { assertAccessible } from '../../../access/access.ts';
import type { Context } from '../../../verbs/context.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { findRecord, recordEntity } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';

const DirectiveSchema = recordEntity('Directive', 'directive', {
  company_id: p.text(),
  case_id: p.text().nullable(),
  agent_id: p.text().nullable(),
  title: p.text(),
  body: p.text().nullable(),
  priority: p.text().$type<DirectiveRecord['priority']>(),
  status: p.text().$type<DirectiveRecord['status']>(),
  issued_by: p.json().$type<Actor>(),
  issued_at: p.datetime(),
  suspended_at: p.datetime().nullable(),
  suspended_reason: p.text().nullable(),
  resolved_at: p.datetime().nullable(),
  resolution: p.text().$type<NonNullable<DirectiveRecord['resolution']>>().nullable(),
  resolution_note: p.text().nullable(),
  due_at: p.datetime().nullable(),
});

export class Directive extends DirectiveSchema.class {}
DirectiveSchema.setClass(Directive);

export const directiveStates = defineStates<DirectiveRecord['status']>('directive', {
  issued: ['suspended', 'resolved'],
  suspended: ['issued', 'resolved'],
  resolved: [],
});

export async function findDirective(em: EntityManager, context: Context, id: string): Promise<Directive> {
  return assertAccessible(context, await findRecord(em, context, Directive, id), 'directive');
}

export const getDirective: Verb<typeof operations.directives.get> = async (context, input) =>
  record(directiveSchema, await findDirective(context.database.em(), context, input.directive_id));

export const listDirectives = listVerb<typeof operations.directives.list, RowOf<typeof directiveSchema>>({
  table: 'directive',
  prefix: 'dir',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'priority', 'case_id', 'agent_id']);
    filters.whereContains(input.q, ['title', 'body']);
  },
  map: (row) => record(directiveSchema, row),
});
