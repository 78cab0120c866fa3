/** Exports the modules that read and serve observations of genuine kubelets. */
export { StartError } from '../start-error.ts';
export { ApiSource, type ApiSourceOptions } from './api-source.ts';
export { KubeletSource, type KubeletSourceOptions } from './kubelet-source.ts';
export {
  type ContinuedRun,
  type Debugging,
  type Keeping,
  ObservedHost,
  type ObservedHostOptions,
} from './observed-host.ts';
export { recordingAsFile } from './observed-run.ts';
export { OtlpExporter, type OtlpExporterOptions, parseHeaders } from './otlp/otlp-exporter.ts';
export { OtlpReceiver, type OtlpReceiverOptions } from './otlp/receiver.ts';
export { readRecordingDirectory, sessionsOf } from './recording-directory.ts';
export type { TraceQuery } from './traces/trace-storage.ts';
