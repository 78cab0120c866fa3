/** What the intervene says. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const interveneMessages = defineMessages('intervene', {
  title: 'Intervene',
  intro: 'Stopped {phase, select, after {after} other {before}} {title}. The flow goes on with what you choose, and every view marks it as yours.',
  do: 'Do',
  fail: 'Fail with an error',
  delay: 'Delay it',
  hang: 'Let it hang until released',
  answer: 'Answer in its place',
  set: 'Give variables other values',
  skipWait: 'Start now, whatever the back-off',
  httpStatus: 'HTTP status',
  cniCode: 'CNI code',
  grpcCode: 'gRPC code',
  result: 'Result',
  success: 'success',
  failure: 'failure',
  warning: 'warning',
  message: 'Message',
  for: 'For',
  submit: 'Do it and go on',
  gone: 'The pod no longer stands still: it went on in the meantime.',
});
