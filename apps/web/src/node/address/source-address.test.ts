import { describe, expect, it } from 'vitest';
import { readSource, sourceWords } from './source-address.ts';

describe('the source in the address', () => {
  it('is the server unless the link names another source', () => {
    expect(readSource('?pod=default/web', false)).toEqual({ kind: 'server' });
    expect(readSource('?alone', false)).toEqual({ kind: 'page', options: {} });
  });

  it('is the page for a build without a server', () => {
    expect(readSource('', true)).toEqual({ kind: 'page', options: {} });
  });

  it('reads scenario, seed, profile and speed', () => {
    expect(readSource('?scenario=crash-loop&seed=7&profile=v1.20&speed=10&paused&time=12.5', false)).toEqual({
      kind: 'page',
      options: { scenario: 'crash-loop', seed: 7, profile: 'v1.20', speed: 10, paused: true, time: 12.5 },
    });
  });

  it('keeps the text of a simulation', () => {
    expect(readSource('?alone&simulation=ipRange:%2010.1.0.0/30', false)).toEqual({
      kind: 'page',
      options: { simulation: 'ipRange: 10.1.0.0/30' },
    });
    expect(sourceWords('?simulation=%7B%22seed%22:7%7D&tab=logs&alone')).toBe('alone&simulation=%7B%22seed%22%3A7%7D');
  });

  it('ignores invalid options', () => {
    expect(readSource('?alone&speed=fast', false)).toEqual({ kind: 'page', options: {} });
    expect(readSource('?scenario=crash-loop&seed=7&profile=v9&speed=-3&paused', false)).toEqual({
      kind: 'page',
      options: { scenario: 'crash-loop', seed: 7, paused: true },
    });
  });

  it('is kept in the address beside the view', () => {
    expect(sourceWords('?pod=default/web&alone&seed=7&tab=logs')).toBe('alone&seed=7');
  });
});
