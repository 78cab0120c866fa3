/** Contains the English texts of pods and containers. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const podTextMessages = defineMessages('podText', {
  restarts: '{count, plural, one {# restart} other {# restarts}}',
  ready: '{ready} ready',
  namespace: 'namespace {namespace}',
  due: 'due',
  graceOver: 'The grace period is over',
  graceLeft: 'Grace period left',
  backOffOver: 'The back-off is over; the next sync retries',
  untilPull: 'Until the next pull',
  untilStart: 'Until the next start',
});

/** Types of containers. */
export const containerTypeMessages = defineMessages('containerType', {
  sandbox: 'Sandbox',
  init: 'Init container',
  sidecar: 'Sidecar',
  container: 'Container',
  ephemeral: 'Ephemeral container',
});
