/** Contains the English texts of the override dialog. */
import { defineMessages } from '../../../base/i18n/define-messages.ts';

export const interveneMessages = defineMessages('intervene', {
  title: 'Override',
  intro:
    'Stopped {phase, select, after {after} other {before}} {title}. Execution continues with your choice; it is ' +
    'marked everywhere.',
  do: 'Action',
  fail: 'Fail with an error',
  delay: 'Delay',
  hang: 'Hang until released or the deadline',
  answer: 'Return a result instead',
  set: 'Edit variables',
  skipWait: 'Start now, ignoring the back-off',
  httpStatus: 'HTTP status',
  cniCode: 'CNI code',
  grpcCode: 'gRPC code',
  result: 'Result',
  success: 'success',
  failure: 'failure',
  warning: 'warning',
  message: 'Message',
  for: 'Duration',
  submit: 'Apply and continue',
  gone: 'The pod is no longer stopped.',
});
