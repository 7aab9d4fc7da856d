/**
 * Signs and verifies webhook deliveries, in the service's own scheme and in Standard Webhooks 1.0.0.
 * Owns: the endpoint secret's form, both header formats, the names of refusals, and the vectors in ../vectors that
 * other languages can run. A scheme is told by its version prefix: `v1` is HMAC-SHA256, `v1a` Ed25519.
 * Must not: depend on any package, read a clock, open a socket, keep state, or see more of a body than its bytes.
 */
export {
  type DiagnosisInput,
  diagnoseServiceSignature,
  diagnoseStandardWebhook,
  type SignatureDiagnosis,
  type SignatureProblem,
} from './diagnose.ts';
export { generateSigningKeyPair, generateWebhookSecret, parsePublicKey, type SigningKeyPair } from './keys.ts';
export {
  createAsymmetricSigner,
  createSigner,
  type Signer,
  signServiceSignature,
  signStandardWebhook,
} from './sign.ts';
export {
  type SignatureCheck,
  type SignatureRejection,
  type StandardWebhookHeaders,
  signatureRejectionHints,
  type TimestampWindow,
  verifyServiceSignature,
  verifyStandardWebhook,
} from './verify.ts';
