import type { Pod } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { maskRequest } from './mask.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
  spec: {
    containers: [
      {
        name: 'app',
        image: 'busybox',
        command: ['run', '--token=$(TOKEN)', '$(MODE)'],
        args: ['s3cr3t-in-the-spec'],
        env: [
          { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
          { name: 'MODE', value: 'fast' },
          { name: 'URL', value: 'https://user:$(TOKEN)@db' },
          { name: 'MODES', value: '$(MODE),safe' },
        ],
      },
    ],
  },
};

const request = {
  config: {
    metadata: { name: 'app' },
    command: ['run', '--token=s3cr3t', 'fast'],
    args: ['s3cr3t-in-the-spec'],
    envs: [
      { key: 'TOKEN', value: 's3cr3t' },
      { key: 'MODE', value: 'fast' },
      { key: 'URL', value: 'https://user:s3cr3t@db' },
      { key: 'MODES', value: 'fast,safe' },
      { key: 'EMPTY', value: '' },
    ],
  },
};

describe('maskRequest', () => {
  it('masks a Secret value in variables and commands that refer to it, and keeps what the spec contains', () => {
    expect(maskRequest('CreateContainer', request, pod)).toEqual({
      config: {
        metadata: { name: 'app' },
        command: ['run', '<redacted>', 'fast'],
        args: ['s3cr3t-in-the-spec'],
        envs: [
          { key: 'TOKEN', value: '<redacted>' },
          { key: 'MODE', value: 'fast' },
          { key: 'URL', value: '<redacted>' },
          { key: 'MODES', value: 'fast,safe' },
          { key: 'EMPTY', value: '<redacted>' },
        ],
      },
    });
  });

  it('masks the host path of a mount whose subPathExpr refers to a Secret value, and keeps other host paths', () => {
    const app = pod.spec.containers[0];
    const volumeMounts = [
      { name: 'data', mountPath: 'data', subPathExpr: '$(TOKEN)/logs' },
      { name: 'plain', mountPath: '/plain', subPath: 's3cr3t' },
    ];
    const mount = (containerPath: string, hostPath: string) => ({ containerPath, hostPath, readonly: false });
    const mounts = [
      mount('/data', '/volumes/data/s3cr3t/logs'),
      mount('/plain', '/volumes/plain/s3cr3t'),
      mount('/etc/hosts', '/pods/u1/etc-hosts'),
    ];
    const withMounts = { config: { ...request.config, mounts } };
    const known = { ...pod, spec: { containers: app ? [{ ...app, volumeMounts }] : [] } };
    expect(maskRequest('CreateContainer', withMounts, known)).toMatchObject({
      config: { mounts: [{ ...mounts[0], hostPath: '<redacted>' }, mounts[1], mounts[2]] },
    });
    expect(maskRequest('CreateContainer', withMounts, undefined)).toMatchObject({
      config: { mounts: [{ hostPath: '<redacted>' }, { hostPath: '<redacted>' }, mounts[2]] },
    });
  });

  it('masks every word with the value of a variable if the spec is unknown', () => {
    const text = JSON.stringify(maskRequest('CreateContainer', request, undefined));
    expect(text).not.toMatch(/s3cr3t|fast/);
    expect(text).toContain('"run"');
  });

  it('masks the credentials of a pull', () => {
    const pull = { image: { image: 'busybox' }, auth: { username: 'u', password: 'p' } };
    expect(maskRequest('PullImage', pull, pod)).toEqual({ image: { image: 'busybox' }, auth: '<redacted>' });
  });
});
