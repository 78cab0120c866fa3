/** Runs the server of an observed node, for tests that kill it. Arguments: control socket, state directory. */
import { serveObserved } from '../serve-observed.ts';

const [control = '', stateDirectory = ''] = process.argv.slice(2);
const { url } = await serveObserved({
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
process.send?.(url);
