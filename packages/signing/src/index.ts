/**
 * Signs and verifies webhook deliveries, in the service's own scheme and in Standard Webhooks 1.0.0.
 * Owns: the endpoint secret's form, both header formats, the names of refusals, and the vectors in ../vectors that
 * other languages can run. A scheme is told by its version prefix: `v1` is HMAC-SHA256, `v1a` Ed25519.
 * Must not: depend on any package, read a clock, open a socket, keep state, or see more of a body than its bytes.
 */
export type { TimestampWindow } from './check-timestamp.ts';
export { createAsymmetricSigner } from './create-asymmetric-signer.ts';
export { createSigner, type Signer } from './create-signer.ts';
export {
  type DiagnosisInput,
  diagnoseServiceSignature,
  diagnoseStandardWebhook,
  type SignatureDiagnosis,
  type SignatureFault,
} from './diagnose-signature.ts';
export { parsePublicKey } from './ed25519-key.ts';
export { generateSigningKeyPair, type SigningKeyPair } from './generate-signing-key-pair.ts';
export { generateWebhookSecret } from './generate-webhook-secret.ts';
export { signServiceSignature } from './sign-service-signature.ts';
export { signStandardWebhook } from './sign-standard-webhook.ts';
export type { SignatureCheck } from './signature-check.ts';
export { type SignatureRefusal, signatureRefusalHints } from './signature-refusal-hints.ts';
export { verifyServiceSignature } from './verify-service-signature.ts';
export { type StandardWebhookHeaders, verifyStandardWebhook } from './verify-standard-webhook.ts';
