import { describe, expect, it } from 'vitest';
import { extractLabels, labelKeys, makeLabels } from './labels.ts';

describe('labels', () => {
  it('carry annotations with a prefix and are restored', () => {
    const docker = makeLabels(
      { app: 'web' },
      { note: 'n', 'annotation.x': 'twice' },
      { [labelKeys.type]: 'container', [labelKeys.sandboxId]: 'abc' },
    );
    expect(docker).toEqual({
      app: 'web',
      'annotation.note': 'n',
      'annotation.annotation.x': 'twice',
      'io.kubernetes.docker.type': 'container',
      'io.kubernetes.sandbox.id': 'abc',
    });
    expect(extractLabels(docker)).toEqual({
      labels: { app: 'web' },
      annotations: { note: 'n', 'annotation.x': 'twice' },
    });
  });

  it("keep a container's name but not the placeholder name POD of a sandbox", () => {
    const name = { [labelKeys.containerName]: 'app' };
    expect(extractLabels({ ...name, [labelKeys.type]: 'container' }).labels).toEqual(name);
    expect(extractLabels({ [labelKeys.containerName]: 'POD', [labelKeys.type]: 'podsandbox' }).labels).toEqual({});
  });

  it("can't replace dockershim's own labels", () => {
    expect(makeLabels({ [labelKeys.instance]: 'other' }, {}, { [labelKeys.instance]: 'mine' })).toEqual({
      [labelKeys.instance]: 'mine',
    });
  });
});
