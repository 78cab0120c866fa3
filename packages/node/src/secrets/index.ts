/** Masks secrets: those of the API server's Secrets, and those that pods of other clusters contain. */
export { maskText, RecognizedSecretMask } from './recognized-secrets.ts';
