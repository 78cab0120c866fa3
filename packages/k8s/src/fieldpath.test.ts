import { describe, expect, it } from 'vitest';
import { extractFieldPathAsString, formatMap, podFieldSelectorRuntimeValue } from './fieldpath.ts';
import { goQuote } from './go-quote.ts';
import { podData, soundPod } from './testing/pods.ts';

const pod = {
  ...soundPod(
    podData(
      { nodeName: 'node-1', serviceAccountName: 'builder' },
      { labels: { b: '2', a: '1' }, annotations: { 'example.com/Note': 'say "hi"\n' }, uid: 'u-1' },
    ),
  ),
  status: { hostIP: '10.0.0.1', podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] },
};

describe('fields of a pod', () => {
  it.each([
    ['metadata.name', 'web'],
    ['metadata.namespace', 'default'],
    ['metadata.uid', 'u-1'],
    ['metadata.labels', 'a="1"\nb="2"'],
    ["metadata.labels['a']", '1'],
    ["metadata.labels['none']", ''],
    ["metadata.labels['constructor']", ''],
    ["metadata.annotations['example.com/Note']", 'say "hi"\n'],
    ['metadata.annotations', 'example.com/Note="say \\"hi\\"\\n"'],
    ['spec.nodeName', 'node-1'],
    ['spec.serviceAccountName', 'builder'],
    ['status.hostIP', '10.0.0.1'],
    ['status.podIP', '10.1.0.1'],
    ['status.podIPs', '10.1.0.1,fd00::1'],
  ])('returns %s', (path, value) => {
    expect(podFieldSelectorRuntimeValue(pod, path)).toBe(value);
  });

  it('prefers the node’s values to the pod’s', () => {
    const sources = { podIPs: ['10.9.9.9'], hostIPs: ['1.1.1.1', '2.2.2.2'] };
    expect(podFieldSelectorRuntimeValue(pod, 'status.podIP', sources)).toBe('10.9.9.9');
    expect(podFieldSelectorRuntimeValue(pod, 'status.hostIPs', sources)).toBe('1.1.1.1,2.2.2.2');
  });

  it.each([
    ['spec.image', 'unsupported fieldPath: spec.image'],
    ["metadata.name['a']", `fieldPath "metadata.name['a']" does not support subscript`],
    ["metadata.labels['a b']", /^invalid key subscript in metadata\.labels\['a b'\]: name part must consist of/],
  ])('throws for %s', (path, message) => {
    expect(() => extractFieldPathAsString(pod, path)).toThrow(message);
  });

  it('formats a missing map as an empty text', () => {
    expect(formatMap(undefined)).toBe('');
  });
});

describe('goQuote', () => {
  it.each([
    ['plain', '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\t\r\u0007\u0001\u007F', '"\\t\\r\\a\\x01\\x7f"'],
    ['grün 😀', '"grün 😀"'],
    ['\u00A0\u200B', '"\\u00a0\\u200b"'],
  ])('quotes %j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
});
