/** Defines the CRI contract tests of container output. */
import { describe, expect, it } from 'vitest';
import type { ContainerLogLine, ContainerLogOptions } from '../../runtime/container-logs.ts';
import type { Scene } from '../scene.ts';

const texts = (lines: readonly ContainerLogLine[]): string[] => lines.map(({ text }) => text);

export function describeLogs(scene: () => Scene): void {
  const read = async (containerId: string, options: ContainerLogOptions = {}): Promise<ContainerLogLine[]> => {
    const lines: ContainerLogLine[] = [];
    for await (const line of scene().environment.runtime.logs.containerLogs(scene().ctx(), containerId, options))
      lines.push(line);
    return lines;
  };

  describe('container logs', () => {
    it('separate the two streams and keep their order', async () => {
      const id = await scene().start(await scene().pod(), 'echo one; sleep 1; echo two >&2; sleep 1; echo three');
      const { startedAt, finishedAt } = await scene().exited(id);
      const lines = await read(id);
      expect(lines.map(({ stream, text }) => [stream, text])).toEqual([
        ['stdout', 'one'],
        ['stderr', 'two'],
        ['stdout', 'three'],
      ]);
      // The engine takes the times of lines and of states separately, so a second of difference is accepted.
      for (const { time } of lines) {
        expect(time).toBeGreaterThan(Number(startedAt / 1_000_000n) - 1000);
        expect(time).toBeLessThan(Number(finishedAt / 1_000_000n) + 1000);
      }
    });

    it('keep empty lines and an unterminated last line', async () => {
      const id = await scene().start(await scene().pod(), 'echo a; echo; printf end');
      await scene().exited(id);
      expect(texts(await read(id))).toEqual(['a', '', 'end']);
    });

    it('return the last lines on request', async () => {
      const id = await scene().start(await scene().pod(), 'for i in 1 2 3 4 5; do echo line $i; done');
      await scene().exited(id);
      expect(texts(await read(id, { tailLines: 2 }))).toEqual(['line 4', 'line 5']);
      expect(await read(id, { tailLines: 0 })).toEqual([]);
    });

    it('begin at a time on request', async () => {
      const id = await scene().start(await scene().pod(), 'echo early; sleep 3; echo late');
      await scene().exited(id);
      const [early, late] = await read(id);
      if (!early || !late) throw new Error('expected two lines');
      const since = ((early.time + late.time) / 2) as typeof late.time;
      expect(texts(await read(id, { since }))).toEqual(['late']);
    });

    it('of a running container end at its present output unless followed', async () => {
      const id = await scene().start(await scene().pod(), 'echo here; sleep 3600');
      await scene().printed(id, 'here');
      expect(texts(await read(id))).toEqual(['here']);
    });

    it('are followed until the container ends', async () => {
      const id = await scene().start(await scene().pod(), 'for i in 1 2 3; do echo tick $i; sleep 1; done');
      let ended = false;
      const following = read(id, { follow: true }).finally(() => {
        ended = true;
      });
      await scene().environment.waitFor(() => ended, 'the followed log to end');
      expect(texts(await following)).toEqual(['tick 1', 'tick 2', 'tick 3']);
      expect((await scene().exited(id)).exitCode).toBe(0);
    });

    it('keep long lines, possibly in parts', async () => {
      const id = await scene().start(await scene().pod(), 'head -c 40000 /dev/zero | tr "\\0" x; echo; echo end');
      await scene().exited(id);
      const lines = await read(id);
      expect(lines.at(-1)?.text).toBe('end');
      const long = lines.slice(0, -1);
      expect(long.map(({ text }) => text).join('')).toBe('x'.repeat(40_000));
      expect(long.slice(0, -1).every(({ partial }) => partial === true)).toBe(true);
      expect(long.at(-1)?.partial ?? false).toBe(false);
    });

    it('stay readable after the container has exited', async () => {
      const id = await scene().start(await scene().pod(), 'echo last words; exit 1');
      await scene().exited(id);
      expect(texts(await read(id))).toEqual(['last words']);
      expect(texts(await read(id))).toEqual(['last words']);
    });

    it('of an unknown container are rejected', async () => {
      await expect(read('fedcba9876543210'.repeat(4))).rejects.toMatchObject({ code: 'NotFound' });
    });
  });
}
