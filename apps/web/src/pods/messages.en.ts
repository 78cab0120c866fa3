/** What the list of pods says. */
import { defineMessages } from '../i18n/define-messages.ts';

export const podMessages = defineMessages('pods', {
  title: 'Pods',
  newPod: 'New pod',
  filter: 'Filter pods',
  noneMatches: 'No pod matches',
  searched: 'Names, namespaces and states are searched.',
  none: 'No pods',
  noneYet: 'They appear here as soon as there are any.',
  reading: 'Reading the pods…',
  away: 'The node does not answer; its pods appear here when it does.',
  restarts: '{count, plural, one {# restart} other {# restarts}}',
  readyContainers: 'Ready containers',
  ready: '{ready} ready',
  namespace: 'namespace {namespace}',
  pausedAt: 'paused {phase, select, after {after} other {before}} {step}',
  due: 'due',
  graceOver: 'The grace period is over',
  graceLeft: 'Grace period left',
  backOffOver: 'The back-off is over; the next sync tries again',
  untilPull: 'Until the next pull',
  untilStart: 'Until the next start',
});
