/** Contains the English texts of the first screen. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const startMessages = defineMessages('start', {
  title: 'See what the kubelet does with a pod',
  introduction:
    'Podscope runs the kubelet’s pod sync one step at a time, on Docker or in a simulator. It shows what each step ' +
    'decides and why. Pause at any step, change a value, continue, or go back in time.',
  ways: 'Ways to begin',
  watch: 'Watch a pod start',
  watchNote: 'Creates a healthy pod: sandbox, image, container, ready.',
  broken: 'Debug a broken pod',
  brokenNote: 'Creates a pod that crashes. Find out what it waits for and why.',
  lesson: 'Take a lesson',
  lessonNote: 'Guided runs that ask what happens next, then show it.',
  manifest: 'Use my own manifest',
  manifestNote: 'Paste YAML, choose a template, or drop a file on this page.',
  guide: 'How to read this page',
  scenarios: 'Play a scenario',
  class: 'Start a class',
  explain: 'Explain a failing pod from another cluster',
  kubectl: 'This node is also a Kubernetes API:',
  copyCommand: 'Copy command',
});
