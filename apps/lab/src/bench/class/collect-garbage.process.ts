/**
 * Preloaded into a class server whose memory is measured. Collects all garbage when the parent process asks for it, and
 * replies with the number of bytes that are still used.
 */
process.on('message', () => {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
// The channel must not keep a server running that has stopped.
process.channel?.unref();
