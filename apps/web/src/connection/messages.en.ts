/** What is said of the connection to the node. */
import { defineMessages } from '../i18n/define-messages.ts';

export const connectionMessages = defineMessages('connection', {
  catchingUp: 'Catching up {count, plural, one {# event} other {# events}}…',
  moving: 'The run is being run again. The page goes on by itself when it is there.',
  newToken: 'The server has a new token',
  lost: 'Connection lost',
  none: 'No connection',
  openAgain: 'It was started again. Open the address that it printed in its terminal.',
  nothingLost: 'Nothing is lost: all up to event {seq, number} is here, what follows is caught up.',
  isItRunning: 'Is the server running? Start it with npx -y pnpm@12 start.',
  retryingIn: ' — retrying in {seconds} s. ',
  retrying: ' — retrying… ',
  retryNow: 'Retry now',
  lostBeforeAnswer: 'The connection was lost before the answer came; it may have taken effect.',
  notConnected: 'Not connected to the node.',
  readOnly: 'This server only shows (--read-only or --kubeconfig): nothing can be changed from here.',
  recorded: 'A recording: nothing can be changed in it.',
  past: 'This is the past: go back to the present to change anything.',
  noAnswer: 'The node does not answer.',
  notUnderstood: 'The node sent something this page does not understand. Page and server may be of different versions: reload the page.',
  answerNotUnderstood: 'The answer to {command} is not understood. Page and server may be of different versions: reload the page.',
  missingEvent: 'Event {seq} is missing; asking for it again.',
});
