/** Provides a simulator for the CRI contract suite. Each call of the suite advances the simulator's virtual clock. */
import type { ContractEnvironment } from '@podscope/cri/testing';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { MemoryHostFiles } from '../machine/host-files.ts';
import { createSimulator } from '../simulator.ts';
import { drivenRuntime } from './drive.ts';

export interface SimulatorEnvironment extends ContractEnvironment {
  readonly clock: VirtualClock;
}

export function simulatorEnvironment(): SimulatorEnvironment {
  const clock = new VirtualClock();
  const hostFiles = new MemoryHostFiles();
  const simulator = createSimulator({ clock, hostFiles });
  let lastFile = 0;
  return {
    clock,
    runtime: drivenRuntime(clock, simulator),
    image: 'busybox:1.36',
    missingImage: 'busybox:does-not-exist',
    disposableImage: async () => {
      simulator.addImage('alpine:3.20');
      return 'alpine:3.20';
    },
    hostFile: async (name, content) => {
      const path = `/var/contract/${++lastFile}/${name}`;
      await hostFiles.writeFile(path, content);
      return path;
    },
    logDirectory: '/var/log/pods',
    renameHostFile: (from, to) => hostFiles.rename(from, to),
    readHostFile: async (path) => new TextDecoder().decode(await hostFiles.readFile(path)),
    waitFor: async (condition, what = 'the condition') => {
      const deadline = clock.now() + 600_000;
      while (!(await condition())) {
        if (clock.now() > deadline) throw new Error(`gave up waiting for ${what}`);
        await clock.advance(100);
      }
    },
    ctx: () => background(clock, new Tracer()),
    cleanup: () => simulator.close(),
  };
}
