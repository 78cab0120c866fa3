/** Why a pod is as it is: the engine's own texts, and what stands around them. */
import { explainMessages, outcomeMessages, ruleMessages } from '@podscope/trace/explain';
import { defineMessages } from '../../i18n/define-messages.ts';

export const explainTexts = defineMessages('explain', explainMessages);
export const ruleTexts = defineMessages('rules', ruleMessages);
export const outcomeTexts = defineMessages('outcomes', outcomeMessages);

export const whyMessages = defineMessages('why', {
  why: 'Why',
  said: 'What was said',
  evidence: 'Evidence',
  injected: 'This was injected by a fault or a person: it did not happen by itself.',
  next: 'Try next',
  copyCommand: 'Copy the command',
  showField: 'Show {path} in the spec',
  moreSaid: 'all of it',
  lessSaid: 'less',
  decided: 'decided',
  noChange: 'no change',
  yes: 'yes',
  rulesWeighed: '{count, plural, one {# rule} other {# rules}}',
  facts: 'Facts',
  sync: 'The kubelet’s sync at {time}',
  openSync: 'The kubelet’s unfinished sync at {time}',
  nothingToDo: 'Nothing was to be done.',
  warnings: 'Warnings',
});
