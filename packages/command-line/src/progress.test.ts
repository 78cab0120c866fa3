/** Tests the line on a terminal that shows that a command is still working. */
import { describe, expect, it, vi } from 'vitest';
import { working } from './progress.ts';

describe('working', () => {
  const terminal = (isTTY: boolean) => {
    const written: string[] = [];
    return {
      written,
      out: { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream,
    };
  };

  it('shows what takes longer than a second on a terminal, and clears it', async () => {
    vi.stubEnv('CI', '');
    vi.useFakeTimers();
    try {
      const { out, written } = terminal(true);
      const work = working('Reading', () => new Promise<number>((resolve) => setTimeout(() => resolve(7), 2_500)), out);
      await vi.advanceTimersByTimeAsync(900);
      expect(written).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_600);
      expect(await work).toBe(7);
      expect(written[0]).toMatch(/Reading… 1 s$/);
      expect(written.at(-1)).toBe('\r\u001b[K');
    } finally {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    }
  });

  it('prints no progress if the output is not a terminal', async () => {
    const { out, written } = terminal(false);
    expect(await working('Reading', () => Promise.resolve(1), out)).toBe(1);
    expect(written).toEqual([]);
  });

  it('writes nothing in continuous integration, even on a terminal', async () => {
    vi.stubEnv('CI', 'true');
    vi.useFakeTimers();
    try {
      const { out, written } = terminal(true);
      const work = working('Reading', () => new Promise<void>((resolve) => setTimeout(resolve, 5_000)), out);
      await vi.advanceTimersByTimeAsync(5_000);
      await work;
      expect(written).toEqual([]);
    } finally {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    }
  });

  it('clears the line and passes the error on when the work fails', async () => {
    vi.stubEnv('CI', '');
    vi.useFakeTimers();
    try {
      const { out, written } = terminal(true);
      const failed = vi.fn<(error: unknown) => void>();
      const work = working(
        'Writing',
        () => new Promise<void>((_, reject) => setTimeout(() => reject(new Error('disk full')), 1_500)),
        out,
      ).catch(failed);
      await vi.advanceTimersByTimeAsync(1_500);
      await work;
      expect(failed).toHaveBeenCalledWith(new Error('disk full'));
      expect(written.at(-1)).toBe('\r\u001b[K');
    } finally {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    }
  });
});
