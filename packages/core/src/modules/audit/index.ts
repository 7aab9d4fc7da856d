/** audit: the chain of seals that shows whether the audit log is still what was written. */
export { type AuditSealOptions, sealAuditLog } from './seal-audit-log.ts';
export { type AuditFault, type AuditReport, type SealHead, verifyAuditLog } from './verify-audit-log.ts';
