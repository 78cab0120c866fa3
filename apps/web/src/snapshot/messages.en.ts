/** What is said about pods from elsewhere: the page's own texts, and those of the engine. */
import { snapshotTexts } from '@podscope/pod-snapshot/notices';
import { defineMessages } from '../i18n/define-messages.ts';

export const snapshotMessages = defineMessages('snapshot', {
  title: 'A pod of another cluster',
  intro: 'Paste what kubectl prints of a pod that is not well. It is read in this browser and sent nowhere; secrets are taken out.',
  copyCommand: 'Copy the command',
  text: 'Output of kubectl get pod -o yaml',
  open: 'Open file',
  profile: 'Kubelet',
  reading: 'Looking ahead…',
  empty: 'Why it is as it is, and what the kubelet will do next, appears here.',
  errors: 'What could not be read',
  notices: 'To know',
  headline: '{pod} is {status}',
  standing: '{ready, number} of {total, plural, one {# container} other {# containers}} ready, {restarts, plural, one {# restart} other {# restarts}}',
  lineProblem: 'Line {line, number}: {problem}',
  event: 'Event {reason}: {message}',
  outlook: 'What comes next',
  seenFrom: 'seen from {time}',
  nothing: 'Nothing, for the next {length}.',
  well: 'Nothing is wrong with it.',
  goOn: 'Go on from here',
  goOnLabel: ', with {name} in the simulator',
  nextStart: 'Next start of {container} not before {time}: back-off {length}',
  nextPull: 'Next pull for {container} not before {time}: back-off {length}',
  start: '{container} starts (restart {attempt, number})',
  exit: '{container} ends with exit code {exitCode} {reason}',
  exitGuess: '{container} ends with exit code {exitCode} {reason}, if it does as before',
  waitStart: '{container} waits {length} before its next start',
  waitPull: '{container} waits {length} before its image is pulled',
  phase: 'The pod is {phase}',
  gone: 'The pod is gone',
});

export const snapshotNotices = defineMessages('snapshotNotices', snapshotTexts);
