import { describe, expect, it } from 'vitest';
import { containerPod, messagesOf } from '../../testing/pods.ts';

type Row = readonly [title: string, container: Record<string, unknown>, messages: readonly string[]];

const c = 'spec.containers[0]';
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const configKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or " +
  "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

const env = (variable: Record<string, unknown>): Record<string, unknown> => ({ env: [{ name: 'A', ...variable }] });

describe('environment', () => {
  it.each<Row>([
    ['no name', { env: [{ value: 'x' }] }, [`${c}.env[0].name: Required value`]],
    [
      'equals sign',
      env({ name: 'A=B' }),
      [
        `${c}.env[0].name: Invalid value: "A=B": a valid environment variable name must consist only of ` +
          `printable ASCII characters other than '='`,
      ],
    ],
    [
      'no source',
      env({ valueFrom: {} }),
      [
        `${c}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, ` +
          `\`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
      ],
    ],
    [
      'value and source',
      env({ value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
      [`${c}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      'two sources',
      env({ valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } } }),
      [`${c}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time`],
    ],
    [
      'missing field path',
      env({ valueFrom: { fieldRef: {} } }),
      [`${c}.env[0].valueFrom.fieldRef.fieldPath: Required value`],
    ],
    [
      'unknown field',
      env({ valueFrom: { fieldRef: { fieldPath: 'metadata.owner' } } }),
      [
        `${c}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.owner": error converting ` +
          'fieldPath: field label not supported: metadata.owner',
      ],
    ],
    [
      'field that is not supported in the environment',
      env({ valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }),
      [
        `${c}.env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: ` +
          '"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", ' +
          '"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
      ],
    ],
    [
      'subscript of a field that is not a map',
      env({ valueFrom: { fieldRef: { fieldPath: "metadata.name['x']" } } }),
      [
        `${c}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name['x']": error converting ` +
          `fieldPath: field label does not support subscript: metadata.name['x']`,
      ],
    ],
    [
      'version of the field',
      env({ valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } }),
      [
        `${c}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting ` +
          'fieldPath: unsupported pod version: v2',
      ],
    ],
    ['label of the pod', env({ valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }), []],
    [
      'unknown resource',
      env({ valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } }),
      [
        `${c}.env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: ` +
          '"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", ' +
          '"requests.ephemeral-storage", "requests.memory"',
      ],
    ],
    [
      'divisor',
      env({ valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1Mi' } } }),
      [
        `${c}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "divisor": only divisor's values 1m ` +
          'and 1 are supported with the cpu resource',
      ],
    ],
    [
      'missing secret key',
      env({ valueFrom: { secretKeyRef: { name: 's' } } }),
      [`${c}.env[0].valueFrom.secretKeyRef.key: Required value`],
    ],
    [
      'config map key and name',
      env({ valueFrom: { configMapKeyRef: { key: 'a b' } } }),
      [
        `${c}.env[0].valueFrom.configMapKeyRef.name: Invalid value: "": ${subdomain}`,
        `${c}.env[0].valueFrom.configMapKeyRef.key: Invalid value: "a b": ${configKey}`,
      ],
    ],
    [
      'envFrom without source',
      { envFrom: [{}] },
      [`${c}.envFrom[0]: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``],
    ],
    [
      'envFrom with two sources',
      { envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }] },
      [`${c}.envFrom[0]: Invalid value: "": may not have more than one field specified at a time`],
    ],
    [
      'envFrom prefix',
      { envFrom: [{ prefix: 'A=', configMapRef: { name: 'a' } }] },
      [
        `${c}.envFrom[0].prefix: Invalid value: "A=": a valid environment variable name must consist only of ` +
          `printable ASCII characters other than '='`,
      ],
    ],
    [
      'envFrom name',
      { envFrom: [{ secretRef: { name: 'B_B' } }] },
      [`${c}.envFrom[0].secretRef.name: Invalid value: "B_B": ${subdomain}`],
    ],
  ])('returns the expected messages for: %s', (_, container, messages) => {
    expect(messagesOf(containerPod(container))).toEqual(messages);
  });
});

const exec = { exec: { command: ['true'] } };

describe('probes and hooks', () => {
  it.each<Row>([
    ['no handler', { livenessProbe: {} }, [`${c}.livenessProbe: Required value: must specify a handler type`]],
    ['no command', { livenessProbe: { exec: {} } }, [`${c}.livenessProbe.exec.command: Required value`]],
    [
      'two handlers',
      { readinessProbe: { ...exec, tcpSocket: { port: 80 } } },
      [`${c}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    [
      'negative numbers',
      {
        readinessProbe: {
          ...exec,
          initialDelaySeconds: -1,
          timeoutSeconds: -2,
          periodSeconds: -3,
          successThreshold: -4,
          failureThreshold: -5,
        },
      },
      [
        `${c}.readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${c}.readinessProbe.timeoutSeconds: Invalid value: -2: must be greater than or equal to 0`,
        `${c}.readinessProbe.periodSeconds: Invalid value: -3: must be greater than or equal to 0`,
        `${c}.readinessProbe.successThreshold: Invalid value: -4: must be greater than or equal to 0`,
        `${c}.readinessProbe.failureThreshold: Invalid value: -5: must be greater than or equal to 0`,
      ],
    ],
    [
      'success threshold of a liveness probe',
      { livenessProbe: { ...exec, successThreshold: 2 } },
      [`${c}.livenessProbe.successThreshold: Invalid value: 2: must be 1`],
    ],
    [
      'success threshold of a startup probe',
      { startupProbe: { ...exec, successThreshold: 2 } },
      [`${c}.startupProbe.successThreshold: Invalid value: 2: must be 1`],
    ],
    [
      'grace period of a readiness probe',
      { readinessProbe: { ...exec, terminationGracePeriodSeconds: 5 } },
      [`${c}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`],
    ],
    [
      'grace period of zero',
      { livenessProbe: { ...exec, terminationGracePeriodSeconds: 0 } },
      [`${c}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`],
    ],
    [
      'http port and scheme',
      { livenessProbe: { httpGet: { port: 0, scheme: 'FTP' } } },
      [
        `${c}.livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
        `${c}.livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
      ],
    ],
    [
      'http header',
      { livenessProbe: { httpGet: { port: 'http', httpHeaders: [{ name: 'X Y', value: '1' }] } } },
      [
        `${c}.livenessProbe.httpGet.httpHeaders: Invalid value: "X Y": a valid HTTP header must consist of ` +
          `alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
      ],
    ],
    [
      'port with an invalid name',
      { livenessProbe: { tcpSocket: { port: 'HTTP' } } },
      [
        `${c}.livenessProbe.tcpSocket.port: Invalid value: "HTTP": must contain only alpha-numeric ` +
          'characters (a-z, 0-9), and hyphens (-)',
        `${c}.livenessProbe.tcpSocket.port: Invalid value: "HTTP": must contain at least one letter (a-z)`,
      ],
    ],
    [
      'grpc port',
      { livenessProbe: { grpc: { port: 70_000 } } },
      [`${c}.livenessProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive`],
    ],
    [
      'empty hook',
      { lifecycle: { preStop: {} } },
      [`${c}.lifecycle.preStop: Required value: must specify a handler type`],
    ],
    [
      'two handlers in a hook',
      { lifecycle: { postStart: { ...exec, httpGet: { port: 80 } } } },
      [`${c}.lifecycle.postStart.httpGet: Forbidden: may not specify more than 1 handler type`],
    ],
    [
      'sleep beyond the grace period',
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      [
        `${c}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than ` +
          'terminationGracePeriodSeconds (30)',
      ],
    ],
    [
      'stop signal without os',
      { lifecycle: { stopSignal: 'SIGUSR1' } },
      [`${c}.lifecycle.stopSignal: Forbidden: may not be set for containers with empty \`spec.os.name\``],
    ],
  ])('returns the expected messages for: %s', (_, container, messages) => {
    expect(messagesOf(containerPod(container))).toEqual(messages);
  });
});
