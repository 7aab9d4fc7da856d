/**
 * @finhook/signing: signs and verifies webhook deliveries, in the service's own scheme and in Standard Webhooks 1.0.0.
 * Owns the format of endpoint secrets, both header formats, the reasons for a rejection, and the test vectors in
 * ../vectors. The version prefix names the algorithm: `v1` is HMAC-SHA256, `v1a` Ed25519.
 * Must not depend on any package, read a clock, open a socket, keep state, or parse a body.
 */
export { deliveryHeaders, type SignedAttempt } from './delivery-headers.ts';
export {
  type DiagnosisInput,
  diagnoseServiceSignature,
  diagnoseStandardWebhook,
  type SignatureDiagnosis,
  type SignatureProblem,
} from './diagnose.ts';
export { decodePublicKey, decodeSecret } from './key-text.ts';
export { generateSigningKeyPair, generateWebhookSecret } from './keys.ts';
export { createAsymmetricSigner, createSigner, type Signer } from './sign.ts';
export { signatureRejectionHints, verifyServiceSignature, verifyStandardWebhook } from './verify.ts';
