/** CRI runtime.v1: messages, services, errors, and the span around each call. */
export type { ContainerLogLine, ContainerLogOptions, ContainerLogProvider, ContainerRuntime, RuntimeFailures } from './container-logs.ts';
export { type ContainerMetricName, type MetricReader, type MetricReading, metricDescriptors, readMetrics } from './container-metrics.ts';
export type { ByteSink, ContainerStreams, ExecCommand, ForwardedConnection, ProcessStreams, TerminalSize } from './container-streams.ts';
export { CriError, isCriError } from './error.ts';
export { applyDefaultImageTag, type ImageReference, ImageReferenceError, parseImageReference, type ReferenceDialect } from './image-reference.ts';
export { instrumentImageService, instrumentRuntimeService } from './instrumented.ts';
export type * from './messages.ts';
export { ownedRuntimeService, ownerLabel } from './owned.ts';
export { criPoints } from './points.ts';
export { resolvConf } from './resolv-conf.ts';
export { formatMetrics, type MetricFamily, type MetricSample, operationType, RuntimeMetrics } from './runtime-metrics.ts';
export { type CriMethod, type ImageService, imageServiceMethods, type RuntimeService, runtimeServiceMethods } from './services.ts';
export { UnimplementedImageService, UnimplementedRuntimeService } from './unimplemented.ts';
