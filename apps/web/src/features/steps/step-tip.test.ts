import { RunFold } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { stepTip } from './step-tip.ts';

/** Returns the span of a CRI call with this request and response. */
function callOf(request: Record<string, unknown>, response: Record<string, unknown>) {
  const log = new EventScript('uid');
  log.call('StopContainer', 5, request, response);
  const fold = new RunFold();
  fold.applyAll(log.events);
  return fold.span(1);
}

describe('stepTip', () => {
  it('lists the values of request and response below the description', () => {
    const span = callOf({ containerId: 'c0ffee', timeout: 30 }, { stopped: true });
    expect(stepTip('Stops the container.', { span, decision: undefined })).toBe(
      'Stops the container.\n\ncontainerId = c0ffee\ntimeout = 30\n→ stopped = true',
    );
  });

  it('shortens long values and ids, and ends after twelve values', () => {
    const id = 'a1'.repeat(32);
    const many = Object.fromEntries([...Array(20).keys()].map((number) => [`key${number}`, number]));
    const lines = stepTip('', { span: callOf({ id, text: 'x'.repeat(500), ...many }, {}), decision: undefined });
    expect(lines.split('\n')).toHaveLength(13);
    expect(lines).toContain('id = a1a1a1a1a1a1\n');
    expect(Math.max(...lines.split('\n').map(({ length }) => length))).toBe(120);
    expect(lines.endsWith('\n…')).toBe(true);
  });

  it('is the description for a step that has not run', () => {
    expect(stepTip('Pulls the image.', { span: undefined, decision: undefined })).toBe('Pulls the image.');
  });
});
