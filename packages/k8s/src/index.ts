/** Exports Kubernetes objects: types, parsing, defaults, validation and quantities. */
export { decodeBase64, encodeBase64 } from './base64.ts';
export {
  type ContainerKind,
  containerFieldPath,
  findContainer,
  findContainerFieldPath,
  isCriticalPod,
  isMirrorPod,
  isNodeCriticalPod,
  isRestartableInitContainer,
  isSidecar,
  isStaticPod,
  type PodContainer,
  podFirstSeenAnnotation,
  podFullName,
  podHashAnnotation,
  podMirrorAnnotation,
  podSource,
  podSourceAnnotation,
  systemCriticalPriority,
  visitContainers,
  workerUID,
} from './containers.ts';
export {
  admissionDefaults,
  admissionUpdateDefaults,
  dropPodLevelResources,
  preparePodForCreate,
} from './defaults/admission.ts';
export { defaultNamespace, defaultSecret } from './defaults/objects.ts';
export { defaultPod } from './defaults/pod.ts';
export { type ExpansionMapping, expand, mappingOf } from './expansion.ts';
export { type FieldError, type FieldErrorType, fieldErrorTypes, formatFieldError } from './field-error.ts';
export {
  extractFieldPathAsString,
  FieldPathError,
  formatMap,
  type PodFieldSources,
  podFieldSelectorRuntimeValue,
  splitMaybeSubscriptedPath,
} from './fieldpath.ts';
export { goQuote } from './go-quote.ts';
export {
  ApplyConflictError,
  applyConfiguration,
  type FieldConflict,
  type FieldManager,
  trackUpdate,
} from './managed-fields/field-manager.ts';
export { defaultParseLimits, type ParseLimits, readDocuments } from './parse/documents.ts';
export { type FieldPathSegment, parseFieldPath } from './parse/field-path.ts';
export { createLocator, type Locator } from './parse/locate.ts';
export type { ManifestError, Position, Range } from './parse/manifest-error.ts';
export { type ManifestObject, type ParsedManifests, parseManifests } from './parse/manifests.ts';
export {
  type ReadManifests,
  type ReadOptions,
  type ReadPods,
  readManifests,
  readPods,
  type SoundObject,
} from './parse/read.ts';
export { type ManifestObjects, type ReadObject, type ReadObjectOptions, readObject } from './parse/read-object.ts';
export { nearestName } from './parse/suggest.ts';
export { applyPatch, type PatchType, patchTypes } from './patch/apply-patch.ts';
export { applyJSONMergePatch } from './patch/json-merge-patch.ts';
export { applyJSONPatch, type JSONPatchOperation } from './patch/json-patch.ts';
export { PatchError } from './patch/patch-error.ts';
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export { computePodQOS, getPodQOS } from './resources/qos.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantity,
  isZeroQuantity,
  maxQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
  quantityMilliValue,
  quantityOf,
  quantityOfMilli,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
  zeroQuantity,
} from './resources/quantity.ts';
export {
  containerLimit,
  containerRequest,
  cpuMilli,
  isPodLevelLimitsSet,
  isPodLevelRequestsSet,
  isPodLevelResourcesSet,
  isSupportedPodLevelResource,
  memoryBytes,
  type PodResourcesOptions,
  parseResourceList,
  podLimits,
  podRequests,
  type ResourceQuantities,
} from './resources/resources.ts';
export { type Decoded, decodeObject, formatUnknownFields } from './schema/decode.ts';
export {
  apiVersionOfKind,
  isManifestKind,
  type ManifestKind,
  manifestKinds,
  manifestSchemas,
  schemaOfKind,
  templatedKinds,
  unsupportedKindHint,
  type WritableKind,
  writableKinds,
  writableSchemas,
} from './schema/kinds.ts';
export type {
  ListSchema,
  MapSchema,
  ObjectSchema,
  OpenSchema,
  ScalarSchema,
  ScalarType,
  Schema,
} from './schema/schema.ts';
export {
  everyField,
  type FieldRequirement,
  type FieldSelector,
  parseFieldSelector,
  selectableFields,
} from './selectors/field-selector.ts';
export {
  everyLabel,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorOf,
  parseLabelSelector,
  SelectorError,
} from './selectors/label-selector.ts';
export { type Difference, differences, formatDifferences, semanticEqual } from './semantic-equal.ts';
export type * from './types.ts';
export { validateNodeUpdate } from './validation/node.ts';
export {
  validateConfigMap,
  validateNamespace,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
  validateSecret,
  validateServiceAccount,
} from './validation/objects.ts';
export { validatePod, validatePodCreate } from './validation/pod.ts';
export { type PodResizeGates, validatePodResize } from './validation/pod-resize.ts';
export { validatePodEphemeralContainersUpdate, validatePodUpdate } from './validation/pod-update.ts';
export { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from './validation/syntax.ts';
