import { UsageError } from '@podscope/command-line';
import { describe, expect, it } from 'vitest';
import { parseObserveOptions } from './options.ts';

const crio = ['--runtime', 'unix:///run/crio/crio.sock'];

describe('--runs-size', () => {
  it.each([
    [[], 2048],
    [['--runs-size', '64'], 64],
  ])('with %j allows the run %d MiB', (args, mib) => {
    expect(parseObserveOptions(args).runsSize).toBe(mib * 1024 * 1024);
  });

  it.each(['0', '-1', '1.5', '1e3', '2GiB', '10000000'])('%s is refused as wrong usage', (size) => {
    expect(() => parseObserveOptions([`--runs-size=${size}`])).toThrow(
      new UsageError(`--runs-size "${size}" is not a number of MiB from 1 to 9999999`),
    );
  });
});

describe('the socket on which the relay listens in front of CRI-O', () => {
  it('has by default the ending by which cAdvisor recognizes CRI-O', () => {
    expect(parseObserveOptions(crio).listen).toBe('/run/podscope/run/crio/crio.sock');
  });

  it('is that of an installed relay, whatever its ending', () => {
    expect(parseObserveOptions(crio, '/run/podscope/cri.sock').listen).toBe('/run/podscope/cri.sock');
  });

  it('is refused as wrong usage when --listen has another ending, with the path to use instead', () => {
    const parse = (): unknown => parseObserveOptions([...crio, '--listen', 'unix:///run/podscope/cri.sock']);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow('--listen: /run/podscope/cri.sock must end with run/crio/crio.sock');
    expect(parse).toThrow('use unix:///run/podscope/run/crio/crio.sock');
  });
});
