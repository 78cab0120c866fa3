/**
 * Exports the masks of secrets: one for the values of the API server's Secrets, one for secrets in pods of other
 * clusters.
 */
export { maskText, RecognizedSecretMask } from './recognized-secrets.ts';
