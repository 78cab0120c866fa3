/** CRI runtime.v1: messages, services, errors, and the span around each call. */
export type { ContainerLogLine, ContainerLogOptions, ContainerLogProvider, ContainerRuntime } from './container-logs.ts';
export { CriError, type GrpcCode, grpcCodes, isCriError } from './error.ts';
export { applyDefaultImageTag, type ImageReference, ImageReferenceError, parseImageReference, type ReferenceDialect } from './image-reference.ts';
export { instrumentImageService, instrumentRuntimeService } from './instrumented.ts';
export type * from './messages.ts';
export { criPoints } from './points.ts';
export { type CriMethod, type ImageService, imageServiceMethods, type RuntimeService, runtimeServiceMethods } from './services.ts';
export { UnimplementedImageService, UnimplementedRuntimeService } from './unimplemented.ts';
