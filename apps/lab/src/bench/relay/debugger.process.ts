/** Runs the server of an observed node with its store, as `podscope observe` does. Arguments: socket, directory. */
import { serveObserved } from '@podscope/server/relay';

const [control = '', stateDirectory = ''] = process.argv.slice(2);
await serveObserved({
  control,
  port: 0,
  build: false,
  otlp: { grpc: undefined, http: undefined },
  otlpExport: undefined,
  kubelet: undefined,
  api: undefined,
  stateDirectory,
  print: () => undefined,
});
process.send?.('started');
