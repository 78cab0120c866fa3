/** Contains the English texts of explanations. */
import { explainMessages, outcomeMessages, ruleMessages } from '@podscope/trace/explain';
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const explainTexts = defineMessages('explain', explainMessages);
export const ruleTexts = defineMessages('rules', ruleMessages);
export const outcomeTexts = defineMessages('outcomes', outcomeMessages);

export const whyMessages = defineMessages('why', {
  why: 'Why',
  messages: 'Messages',
  lastLines: 'Last log lines of {container}',
  evidence: 'Evidence',
  injected: 'Injected by a fault or a person.',
  next: 'Try this',
  outlook: 'What happens next',
  origin: 'Where the cause lies: {origin}',
  likely: 'likely',
  unknown: 'not certain',
  copyCommand: 'Copy command',
  showField: 'Show {path} in the spec',
  eventSource: 'event {name}{count, plural, =1 {} other { (# times)}}',
  logSource: 'log of {name}{count, plural, =1 {} other { (# times)}}',
  showAll: 'show all',
  showLess: 'show less',
  decided: 'decided',
  noChange: 'no change',
  yes: 'yes',
  ruleCount: '{count, plural, one {# rule} other {# rules}}',
  facts: 'Facts',
  sync: 'The kubelet’s sync at {time}',
  openSync: 'The kubelet’s unfinished sync at {time}',
  nothingToDo: 'Nothing to do',
  computed: 'The shadow engine computed these decisions.',
  notComputed: '{name} ran in the genuine kubelet. The shadow engine didn’t compute it, so its decisions are unknown.',
  warnings: 'Warnings',
  containers: 'Containers',
  exitMeaning: '{code} — {meaning}',
});

export const originTexts = defineMessages('origins', {
  scheduler: 'scheduler',
  controller: 'controller',
  kubelet: 'kubelet',
  runtime: 'container runtime',
  registry: 'image registry',
  storage: 'storage',
  network: 'network',
  node: 'node',
  program: 'program',
  configuration: 'configuration',
});
