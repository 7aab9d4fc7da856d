import type { RuntimeSnapshot as RuntimeSnapshotRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const RuntimeSnapshotSchema = defineEntity({
  name: 'RuntimeSnapshot',
  tableName: 'runtime_snapshot',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    agentId: p.text(),
    companyId: p.text().nullable(),
    runtime: p.text(),
    state: p.text().$type<RuntimeSnapshotRecord['state']>(),
    /** Rises by one with every write; the ORM does not look after it. */
    version: p.integer(),
    checkpoint: p.json().$type<unknown>().nullable(),
    metrics: p.json().$type<NonNullable<RuntimeSnapshotRecord['metrics']>>().nullable(),
    heartbeatAt: p.datetime(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** Where an agent's runtime stands; there is one for each agent. */
export class RuntimeSnapshot extends RuntimeSnapshotSchema.class {
  toRecord(): RuntimeSnapshotRecord {
    return {
      id: this.id,
      object: 'runtime_snapshot',
      account_id: this.accountId,
      agent_id: this.agentId,
      company_id: this.companyId ?? null,
      runtime: this.runtime,
      state: this.state,
      version: this.version,
      checkpoint: this.checkpoint ?? null,
      metrics: this.metrics ?? null,
      heartbeat_at: this.heartbeatAt.toISOString(),
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
RuntimeSnapshotSchema.setClass(RuntimeSnapshot);
