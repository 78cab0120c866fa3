/**
 * Runs the server of an observed node, for tests that kill it and for `bench relay`. Arguments: control socket, state
 * directory, and optionally the point of a breakpoint. The process sends its URL, and `stopped` for each stop.
 */
import { serveObserved } from '../serve-observed.ts';

const [control = '', stateDirectory = '', point] = process.argv.slice(2);
const { url, node } = await serveObserved({ control, stateDirectory });
if (point !== undefined) {
  node.debugger.attach();
  node.debugger.setBreakpoints('', [{ point }]);
  node.log.subscribe(({ type }) => {
    if (type === 'stopped') process.send?.('stopped');
  });
}
process.send?.(url);
