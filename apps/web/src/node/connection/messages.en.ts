/** Contains the English texts of the connection to the node. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const connectionMessages = defineMessages('connection', {
  catchingUp: 'Catching up {count, plural, one {# event} other {# events}}…',
  moving: 'The run is being replayed. The page continues when it is ready.',
  newToken: 'The server has a new token',
  lost: 'Connection lost',
  none: 'No connection',
  openAgain: 'The server was restarted. Paste the address that it printed in its terminal, or the token.',
  token: 'Address or token',
  reconnect: 'Reconnect',
  nothingLost: 'Nothing is lost. Events after {seq, number} load on reconnect.',
  isItRunning: 'Is the server running? Start it with npx -y pnpm@12 start.',
  retryingIn: ' — retrying in {seconds} s. ',
  retrying: ' — retrying… ',
  retryNow: 'Retry now',
  lostBeforeAnswer: 'The connection was lost before the response arrived. The command may have taken effect.',
  noEngine: 'The engine in this page is not running.',
  notConnected: 'Not connected to the node.',
  readOnly: 'This server is read-only (--read-only or --kubeconfig).',
  recorded: 'A recording cannot be changed.',
  past: 'Go back to live to change anything.',
  noAnswer: 'The node is not responding.',
  notUnderstood:
    'The node sent a message that this page cannot read. The page and the server may be of different versions: ' +
    'reload the page.',
  answerNotUnderstood:
    'This page cannot read the response to {command}. The page and the server may be of different versions: ' +
    'reload the page.',
  newerNode: 'The node speaks protocol {node}, this page protocol {page}. Reload the page to get the newer one.',
  olderNode: 'The node speaks protocol {node}, this page protocol {page}. Update the server, then reload the page.',
  newerLink:
    'The link has format {link}, this page reads up to {page}. Some of it may be missing: open it in a newer Podscope.',
  missingEvent: 'Event {seq} is missing. Requesting it again.',
});
