import { describe, expect, it } from 'vitest';
import { readSource, sourceWords } from './source-address.ts';

describe('the source in the address', () => {
  it('is the server unless the link says otherwise', () => {
    expect(readSource('?pod=default/web', false)).toEqual({ kind: 'server' });
    expect(readSource('?alone', false)).toEqual({ kind: 'page', options: {} });
  });

  it('is the page itself where there is no server', () => {
    expect(readSource('', true)).toEqual({ kind: 'page', options: {} });
  });

  it('names scenario, seed, profile and speed', () => {
    expect(readSource('?scenario=crash-loop&seed=7&profile=v1.20&speed=10&paused', false)).toEqual({
      kind: 'page',
      options: { scenario: 'crash-loop', seed: 7, profile: 'v1.20', speed: 10, paused: true },
    });
  });

  it('leaves out what makes no sense', () => {
    expect(readSource('?alone&speed=fast', false)).toEqual({ kind: 'page', options: {} });
  });

  it('stays in the address beside the view', () => {
    expect(sourceWords('?pod=default/web&alone&seed=7&tab=logs')).toBe('alone&seed=7');
  });
});
