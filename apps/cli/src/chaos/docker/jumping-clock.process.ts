/** Loaded into a server before all else: its wall clock jumps when its parent says so, by so many milliseconds. */
const realNow = Date.now;
let offset = 0;
Date.now = () => realNow() + offset;
process.on('message', (by) => {
  if (typeof by === 'number') offset += by;
});
// Who listens would otherwise keep the process from ending.
process.channel?.unref();
