import type { RuntimeSnapshot as RuntimeSnapshotRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const RuntimeSnapshotSchema = defineEntity({
  name: 'RuntimeSnapshot',
  tableName: 'runtime_snapshot',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    agent_id: p.text(),
    company_id: p.text().nullable(),
    runtime: p.text(),
    state: p.text().$type<RuntimeSnapshotRecord['state']>(),
    /** Incremented by every write; not the ORM's version property. */
    version: p.integer(),
    checkpoint: p.json().$type<unknown>().nullable(),
    metrics: p.json().$type<NonNullable<RuntimeSnapshotRecord['metrics']>>().nullable(),
    heartbeat_at: p.datetime(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

/** The last state of an agent's runtime; there is at most one for each agent. */
export class RuntimeSnapshot extends RuntimeSnapshotSchema.class {}
RuntimeSnapshotSchema.setClass(RuntimeSnapshot);
