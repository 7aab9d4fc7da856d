import { defineEntity, p } from '@mikro-orm/postgresql';

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    mode: p.text().$type<'live' | 'test'>(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

/** A customer of the service; the data of two accounts is never mixed. */
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);
