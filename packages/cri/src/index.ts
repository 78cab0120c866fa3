/** Exports CRI runtime.v1: messages, services, errors and decorators. */

export { bandwidthAnnotations, decideBandwidth } from './bandwidth.ts';
export { instrumentImageService, instrumentRuntimeService } from './decorators/instrumented.ts';
export { ownedRuntimeService, ownerLabel } from './decorators/owned.ts';
export { CriError, isCriError } from './error.ts';
export type * from './messages.ts';
export {
  type ContainerMetricName,
  type MetricReader,
  type MetricReading,
  metricDescriptors,
  readMetrics,
} from './metrics/container-metrics.ts';
export { resolvConf } from './resolv-conf.ts';
export type { ContainerLogLine, ContainerLogOptions, ContainerLogProvider } from './runtime/container-logs.ts';
export type { ContainerRuntime, RuntimeFailures } from './runtime/container-runtime.ts';
export type {
  ByteSink,
  ContainerStreams,
  ExecCommand,
  ForwardedConnection,
  ProcessStreams,
  TerminalSize,
} from './runtime/container-streams.ts';
export { defaultSandboxImages } from './runtime/sandbox-image.ts';
export {
  type CriMethod,
  type ImageService,
  imageServiceMethods,
  type RuntimeService,
  runtimeServiceMethods,
} from './services.ts';
export { UnimplementedImageService, UnimplementedRuntimeService } from './unimplemented.ts';
