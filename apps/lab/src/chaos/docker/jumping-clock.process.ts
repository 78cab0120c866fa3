/**
 * Shifts the wall clock of a server by the milliseconds that its parent sends. Node.js preloads this module before the
 * server's own code.
 */
const realNow = Date.now;
let offset = 0;
Date.now = () => realNow() + offset;
process.on('message', (by) => {
  if (typeof by === 'number') offset += by;
});
// The listener on the channel would otherwise keep the process alive.
process.channel?.unref();
