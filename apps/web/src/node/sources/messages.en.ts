/** Contains the English texts of the sources of facts about a genuine kubelet. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const factSourceMessages = defineMessages('factSource', {
  cri: 'the CRI calls',
  pods: 'the kubelet’s /pods',
  otlp: 'the traces (OTLP)',
  api: 'the API server',
  shadow: 'the shadow engine',
});

export const sourceMessages = defineMessages('source', {
  source: 'Source',
  observedIn: 'observed in {source}',
  inferredFrom: 'inferred from {source}',
});
