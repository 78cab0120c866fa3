import type { SpanRecord } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { recordedValue } from './frame-values.ts';
import { pathAt } from './path-at.ts';

describe('pathAt', () => {
  const line = '  const { attempt } = podStatus?.sandboxes.newest(ctx); // x';
  it.each([
    ['attempt', 'attempt'],
    ['podStatus', 'podStatus'],
    ['sandboxes', 'podStatus.sandboxes'],
    ['newest', 'podStatus.sandboxes.newest'],
    ['ctx', 'ctx'],
    ['=', undefined],
  ])('on %s: %s', (text, path) => {
    expect(pathAt(line, line.indexOf(text))?.path).toBe(path);
  });
});

describe('recordedValue', () => {
  const span = {
    attributes: { container: 'app', request: { podSandboxId: 'f00d' } },
    endAttributes: { response: { containerId: 'c0ffee' } },
    decisions: [{ facts: { restartPolicy: 'Always' } }],
  } as unknown as SpanRecord;

  it.each([
    ['container', 'app'],
    ['request.podSandboxId', 'f00d'],
    ['response', '{"containerId":"c0ffee"}'],
    ['restartPolicy', 'Always'],
    ['nothing', undefined],
    ['container.length', undefined],
  ])('%s is %s', (path, value) => {
    expect(recordedValue(span, path)?.value).toBe(value);
  });
});
