/** Sets the API server's defaults of a container. Upstream: pkg/apis/core/v1/defaults.go (v1.36). */

import { imageTag } from '../image-tag.ts';
import type {
  Container,
  ContainerPort,
  EnvVar,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  ObjectFieldSelector,
  Probe,
  PullPolicy,
  ResourceFieldSelector,
  ResourceRequirements,
} from '../types.ts';
import { defaultResourceList } from './resources.ts';

/**
 * Returns the container with all defaults. Upstream: SetDefaults_Container and the defaults of its parts (core/v1,
 * v1.36).
 */
export function defaultContainer<C extends Container>(container: C, hostNetwork: boolean): C {
  return {
    ...container,
    ...(container.ports && { ports: container.ports.map((port) => defaultPort(port, hostNetwork)) }),
    ...(container.env && { env: container.env.map(defaultEnvVar) }),
    resources: defaultContainerResources(container.resources),
    ...(container.livenessProbe && { livenessProbe: defaultProbe(container.livenessProbe) }),
    ...(container.readinessProbe && { readinessProbe: defaultProbe(container.readinessProbe) }),
    ...(container.startupProbe && { startupProbe: defaultProbe(container.startupProbe) }),
    ...(container.lifecycle && { lifecycle: defaultLifecycle(container.lifecycle) }),
    terminationMessagePath: container.terminationMessagePath || '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy || 'File',
    imagePullPolicy: container.imagePullPolicy || defaultPullPolicy(container.image ?? ''),
  };
}

/** Returns Always for an explicit or implicit `:latest` tag, otherwise IfNotPresent. */
export function defaultPullPolicy(image: string): PullPolicy {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultPort(port: ContainerPort, hostNetwork: boolean): ContainerPort {
  const hostPort = port.hostPort || (hostNetwork ? port.containerPort : 0);
  return { ...port, ...(hostPort !== 0 && { hostPort }), protocol: port.protocol || 'TCP' };
}

function defaultEnvVar(variable: EnvVar): EnvVar {
  const { valueFrom } = variable;
  if (!valueFrom) return variable;
  return {
    ...variable,
    valueFrom: {
      ...valueFrom,
      ...(valueFrom.fieldRef && { fieldRef: defaultFieldRef(valueFrom.fieldRef) }),
      ...(valueFrom.resourceFieldRef && { resourceFieldRef: defaultResourceFieldRef(valueFrom.resourceFieldRef) }),
    },
  };
}

export function defaultFieldRef(selector: ObjectFieldSelector): ObjectFieldSelector {
  return { ...selector, apiVersion: selector.apiVersion || 'v1' };
}

/** Sets a missing divisor to `"0"`, which counts as one. */
export function defaultResourceFieldRef(selector: ResourceFieldSelector): ResourceFieldSelector {
  return { ...selector, divisor: String(selector.divisor ?? '0') };
}

/** Sets missing requests to the limits. */
function defaultContainerResources(resources: ResourceRequirements | undefined): ResourceRequirements {
  if (!resources) return {};
  const limits = defaultResourceList(resources.limits);
  const requests = limits || resources.requests ? { ...limits, ...defaultResourceList(resources.requests) } : undefined;
  return { ...resources, ...(limits && { limits }), ...(requests && { requests }) };
}

/**
 * Replaces a zero by the default, because zero means "not set" in all fields of a probe. Upstream: SetDefaults_Probe
 * (core/v1, v1.36).
 */
function defaultProbe(probe: Probe): Probe {
  return {
    ...probe,
    ...(probe.httpGet && { httpGet: defaultHTTPGet(probe.httpGet) }),
    ...(probe.grpc && { grpc: { ...probe.grpc, service: probe.grpc.service ?? '' } }),
    timeoutSeconds: probe.timeoutSeconds || 1,
    periodSeconds: probe.periodSeconds || 10,
    successThreshold: probe.successThreshold || 1,
    failureThreshold: probe.failureThreshold || 3,
  };
}

function defaultLifecycle(lifecycle: Lifecycle): Lifecycle {
  return {
    ...lifecycle,
    ...(lifecycle.postStart && { postStart: defaultHandler(lifecycle.postStart) }),
    ...(lifecycle.preStop && { preStop: defaultHandler(lifecycle.preStop) }),
  };
}

function defaultHandler(handler: LifecycleHandler): LifecycleHandler {
  return handler.httpGet ? { ...handler, httpGet: defaultHTTPGet(handler.httpGet) } : handler;
}

/** Returns the action with defaults for path and scheme. Upstream: SetDefaults_HTTPGetAction (core/v1, v1.36). */
function defaultHTTPGet(action: HTTPGetAction): HTTPGetAction {
  return { ...action, path: action.path || '/', scheme: action.scheme || 'HTTP' };
}
