import { describe, expect, it } from 'vitest';
import {
  CorruptCheckpointError,
  checkpointOf,
  parseCheckpoint,
  type SandboxCheckpoint,
  serializeCheckpoint,
} from './sandbox-checkpoint.ts';

const plain: SandboxCheckpoint = { name: 'web-0', namespace: 'prod', hostNetwork: false, portMappings: [] };
const withPorts: SandboxCheckpoint = {
  ...plain,
  portMappings: [
    { protocol: 'TCP', containerPort: 80, hostPort: 8080 },
    { protocol: 'UDP', containerPort: 53, hostPort: 5353, hostIp: '127.0.0.1' },
  ],
};

describe('checkpoint', () => {
  it.each([
    ['without ports', plain, '{"version":"v1","name":"web-0","namespace":"prod","data":{},"checksum":815459779}'],
    [
      'on the host network',
      { ...plain, hostNetwork: true },
      '{"version":"v1","name":"web-0","namespace":"prod","data":{"host_network":true},"checksum":996107268}',
    ],
    [
      'with ports',
      withPorts,
      '{"version":"v1","name":"web-0","namespace":"prod","data":{"port_mappings":[{"protocol":"tcp",' +
        '"container_port":80,"host_port":8080},' +
        '{"protocol":"udp","container_port":53,"host_port":5353,"host_ip":"127.0.0.1"}]},"checksum":3859825999}',
    ],
  ])("%s equals dockershim's file and can be parsed", (_, checkpoint, text) => {
    expect(serializeCheckpoint(checkpoint)).toBe(text);
    expect(parseCheckpoint(text)).toEqual(checkpoint);
  });

  it('accepts the checksum of cri-dockerd', () => {
    const text = '{"version":"v1","name":"web-0","namespace":"prod","data":{},"checksum":815459779}';
    expect(parseCheckpoint(text.replace('815459779', '2305795928'))).toEqual(plain);
  });

  it.each([
    ['not json'],
    ['{}'],
    ['{"version":"v1","name":"a","namespace":"b","data":null,"checksum":1}'],
    [serializeCheckpoint(plain).replace('815459779', '1')],
  ])('refuses %s', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(CorruptCheckpointError);
  });

  it('records mappings without a host port, and the host network only if requested', () => {
    const config = {
      metadata: { name: 'a', namespace: 'b', uid: 'u', attempt: 0 },
      portMappings: [{ containerPort: 80 }],
    };
    expect(checkpointOf(config)).toEqual({
      name: 'a',
      namespace: 'b',
      hostNetwork: false,
      portMappings: [{ containerPort: 80 }],
    });
    const namespaceOptions = { network: 'NODE', pid: 'CONTAINER', ipc: 'POD' } as const;
    expect(checkpointOf({ ...config, linux: { securityContext: { namespaceOptions } } }).hostNetwork).toBe(true);
  });
});
