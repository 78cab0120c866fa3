/** Defines the CRI contract tests of log files in CRI's format. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';
import { type RunningSandbox } from '../shared-pod.ts';

const linePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)? (.*)$/s;

export function describeLogFiles(scene: () => Scene, features: ContractFeatures): void {
  describe('log files', () => {
    const logPath = 'app/0.log';
    const sandbox = (): Promise<RunningSandbox> => scene().sandbox();
    const file = ({ config }: RunningSandbox, name = logPath): string => `${config.logDirectory ?? ''}/${name}`;

    /**
     * Runs a script to its end in a container with a log, and returns the status. If the runtime may report the exit
     * before the log is complete, it also waits for the script's last output.
     */
    async function finish(pod: RunningSandbox, script: string, last: string, options: { readonly tty?: boolean } = {}) {
      const status = await scene().finish(pod, script, { logPath, ...options });
      if (features.completeLogs === false)
        await scene().environment.waitFor(
          async () => (await scene().environment.readHostFile(file(pod))).trimEnd().endsWith(last),
          `the log's last line ${last}`,
        );
      return status;
    }

    /** Returns each line of a file as `stream tag text`. */
    async function lines(path: string): Promise<string[]> {
      const text = await scene().environment.readHostFile(path);
      expect(text === '' || text.endsWith('\n')).toBe(true);
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const [, time, stream = '', tag = '', content = ''] = linePattern.exec(line) ?? [];
          expect(time, `time of the line ${line}`).toBeDefined();
          return `${stream} ${tag} ${content}`;
        });
    }

    it('have one line per output line at the path of the status', async () => {
      const pod = await sandbox();
      const status = await finish(pod, 'echo out; sleep 1; echo err >&2; sleep 1; echo; printf end', 'end');
      expect(status.logPath).toBe(file(pod));
      // For text without a line feed at the end, runtimes write different tags.
      expect(await lines(file(pod))).toEqual([
        'stdout F out',
        'stderr F err',
        'stdout F ',
        expect.stringMatching(/^stdout [FP] end$/),
      ]);
    });

    it('exist when StartContainer returns', async () => {
      const pod = await sandbox();
      await scene().start(pod, 'sleep 3600', { logPath });
      expect(await lines(file(pod))).toEqual([]);
    });

    it('are complete when the exit is reported', async () => {
      const pod = await sandbox();
      await finish(pod, 'i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done', 'line 4999');
      const all = await lines(file(pod));
      expect([all.length, all.at(0), all.at(-1)]).toEqual([5000, 'stdout F line 0', 'stdout F line 4999']);
    });

    it('split long lines and mark the last part', async () => {
      const pod = await sandbox();
      await finish(pod, 'head -c 40000 /dev/zero | tr "\\0" x; echo; echo next', 'next');
      const all = (await lines(file(pod))).map((line) => line.split(' '));
      expect(all.at(-1)).toEqual(['stdout', 'F', 'next']);
      const parts = all.slice(0, -1);
      expect(parts.map(([, , text]) => text).join('')).toBe('x'.repeat(40_000));
      expect(parts.map(([, tag]) => tag).join('')).toMatch(/^P+F$/);
    });

    it('of a terminal are one stream', async () => {
      const pod = await sandbox();
      await finish(pod, 'echo out; echo err >&2', 'err', { tty: true });
      expect((await lines(file(pod))).map((line) => line.trimEnd())).toEqual(['stdout F out', 'stdout F err']);
    });

    it('keep old lines in the old file and new ones in the new file after a rotation', async () => {
      const pod = await sandbox();
      const script = 'i=0; while [ ! -e /tmp/stop ]; do echo $i; i=$((i+1)); sleep 0.02; done';
      const id = await scene().start(pod, script, { logPath });
      await scene().environment.waitFor(async () => (await lines(file(pod))).length > 5, 'some lines');
      await scene().environment.renameHostFile?.(file(pod), file(pod, 'app/0.log.old'));
      await scene().runtime.reopenContainerLog(scene().ctx(), { containerId: id });
      await scene().environment.waitFor(async () => (await lines(file(pod))).length > 5, 'lines in the new file');
      await scene().exec(id, 'touch /tmp/stop');
      await scene().exited(id);
      const numbers = [...(await lines(file(pod, 'app/0.log.old'))), ...(await lines(file(pod)))].map((line) =>
        Number(line.split(' ')[2]),
      );
      expect(numbers).toEqual(numbers.map((_, index) => index));
    });

    it("aren't reopened for an exited container", async () => {
      const pod = await sandbox();
      const { id } = await scene().finish(pod, 'true', { logPath });
      await expect(scene().runtime.reopenContainerLog(scene().ctx(), { containerId: id })).rejects.toMatchObject(
        criError(),
      );
    });
  });
}
