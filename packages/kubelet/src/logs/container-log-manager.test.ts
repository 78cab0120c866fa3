import type { ContainerState } from '@podscope/cri';
import { MemoryOS } from '@podscope/kuberuntime';
import { background, EventLog, sleep, Tracer, VirtualClock, withSignal } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containerLogLoop } from './container-log-manager.ts';

const directory = '/var/log/pods/default_web_u1/app';
const log = `${directory}/0.log`;

/** Stores files in memory and compresses by renaming. */
class CompressingOS extends MemoryOS {
  async fileSize(path: string): Promise<number | undefined> {
    return (await this.readFile(path))?.length;
  }

  compress(path: string): Promise<void> {
    return this.rename(path, `${path}.gz`);
  }
}

describe('the container log manager', () => {
  let clock: VirtualClock;
  let os: CompressingOS;
  let events: EventLog;
  let state: ContainerState;
  let reopened: number;
  let lists: number[];
  let reopen: () => Promise<void>;
  let stop: AbortController;
  let running: Promise<void>;

  beforeEach(async () => {
    clock = new VirtualClock();
    os = new CompressingOS();
    events = new EventLog(clock);
    state = 'CONTAINER_RUNNING';
    reopened = 0;
    lists = [];
    reopen = () => os.writeFile(log, '', 0o640);
    stop = new AbortController();
    await os.mkdirAll(directory, 0o755);
    await write(0);
  });

  afterEach(() => {
    stop.abort();
    return running;
  });

  const write = (bytes: number): Promise<void> => os.writeFile(log, 'x'.repeat(bytes), 0o640);
  const start = async (maxFiles = 3): Promise<void> => {
    running = containerLogLoop(withSignal(background(clock, new Tracer(events)), stop.signal), {
      policy: { maxBytes: 100, maxFiles },
      os,
      runtime: {
        listContainers: async () => {
          lists.push((clock.now() - Date.UTC(2026, 0, 1)) / 1000);
          return { containers: [{ id: 'c1', state } as never] };
        },
        containerStatus: async () => ({ status: { logPath: log } as never }),
        reopenContainerLog: async () => {
          reopened += 1;
          await reopen();
          return {};
        },
      },
    });
    await clock.advance(0);
  };
  const files = (): Promise<readonly string[]> => os.readDir(directory);
  const warnings = (): readonly string[] =>
    events.after(0).flatMap((event) => (event.type === 'output' ? [event.message] : []));

  it('rotates a log that has reached the maximum size, at the next check', async () => {
    await write(99);
    await start();
    expect(await files()).toEqual(['0.log']);
    await write(100);
    await clock.advance(9999);
    expect(reopened).toBe(0);
    await clock.advance(1);
    expect(await files()).toEqual(['0.log', expect.stringMatching(/^0\.log\.\d{8}-\d{6}$/)]);
    expect(await os.fileSize(log)).toBe(0);
    expect(reopened).toBe(1);
  });

  it('compresses the second newest file and removes the oldest', async () => {
    await start();
    for (let round = 0; round < 3; round += 1) {
      await write(100);
      await clock.advance(10_000);
    }
    const names = await files();
    expect(names).toHaveLength(3);
    expect(names.slice(1)).toEqual([
      expect.stringMatching(/^0\.log\.\d{8}-\d{4}20\.gz$/),
      expect.stringMatching(/^0\.log\.\d{8}-\d{4}30$/),
    ]);
  });

  it('removes temporary files, and files that also exist compressed', async () => {
    for (const suffix of ['1', '1.gz', '2.tmp']) await os.writeFile(`${log}.${suffix}`, '', 0o640);
    await write(100);
    await start(5);
    expect(await files()).toEqual(['0.log', '0.log.1.gz', expect.stringMatching(/^0\.log\.2026/)]);
  });

  it('lists the containers every ten seconds during a long rotation, then checks the container once', async () => {
    reopen = async () => {
      await sleep(clock, 25_000, stop.signal);
      await write(reopened === 1 ? 100 : 0);
    };
    await write(100);
    await start();
    await clock.advance(24_999);
    expect([lists, reopened]).toEqual([[0, 10, 20], 1]);
    await clock.advance(1);
    expect(reopened).toBe(2);
    await clock.advance(25_000);
    expect([lists, reopened]).toEqual([[0, 10, 20, 30, 40, 50], 2]);
  });

  it('ignores the log of a container that is not running', async () => {
    state = 'CONTAINER_EXITED';
    await write(100);
    await start();
    expect(reopened).toBe(0);
  });

  it('makes the runtime write a log that is gone', async () => {
    await os.remove(log);
    await start();
    expect([reopened, await files(), warnings()]).toEqual([1, ['0.log'], []]);
  });

  it('keeps the log and warns when the runtime cannot reopen it', async () => {
    reopen = () => Promise.reject(new Error('docker does not support reopening container log files'));
    await write(100);
    await start();
    expect(await files()).toEqual(['0.log']);
    expect(await os.fileSize(log)).toBe(100);
    expect(warnings()).toEqual([
      `Failed to rotate log for container (c1): failed to rotate log "${log}": failed to reopen container log "c1": ` +
        'docker does not support reopening container log files',
    ]);
  });
});
