import { describe, expect, it } from 'vitest';
import { readClassAddress, readSource, sourceWords } from './source-address.ts';

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

describe('the class of an address', () => {
  it('runs an engine in the page for learners, teachers and presenters, also on a server', () => {
    for (const search of ['?class=ABC234', '?teach', '?presenter=yes'])
      expect(readSource(search, false).kind).toBe('page');
  });

  it('names the code and the server of a learner', () => {
    expect(readClassAddress('?class=ABC234')).toEqual({ role: 'learner', code: 'ABC234', server: undefined });
    expect(readClassAddress('?class=ABC234&server=https%3A%2F%2Fteacher.example%3A4400%2Fpath')).toEqual({
      role: 'learner',
      code: 'ABC234',
      server: 'https://teacher.example:4400',
    });
  });

  it('ignores a server that is not a web address', () => {
    expect(readClassAddress('?class=ABC234&server=javascript%3Aalert(1)')).toMatchObject({ server: undefined });
  });

  it('stays in the address when the view changes', () => {
    expect(sourceWords('?class=ABC234&server=https%3A%2F%2Fa.example&tab=logs')).toBe(
      'class=ABC234&server=https%3A%2F%2Fa.example',
    );
  });
});
