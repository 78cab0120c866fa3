/** Reads the processor time and the memory of Chromium's renderer processes. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';

export interface RendererUsage {
  /** Processor time of all renderers since they started, in milliseconds. */
  readonly processorTime: number;
  /**
   * Processor time of the renderers' main threads, which draw the page, in milliseconds. Drawing takes at least this
   * long. NaN without `/proc`.
   */
  readonly mainThread: number;
  /** Resident memory of the largest renderer, in MiB; NaN where `/proc` is missing. */
  readonly memory: number;
}

async function residentMemory(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** Returns the processor time of the main thread, whose id equals the id of the process. */
async function mainThreadTime(pid: number): Promise<number> {
  try {
    return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

export async function rendererUsage(browser: Browser): Promise<RendererUsage> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const mainThreads = await Promise.all(renderers.map(({ id }) => mainThreadTime(id)));
  const memories = await Promise.all(renderers.map(({ id }) => residentMemory(id)));
  return {
    processorTime: renderers.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0),
    mainThread: mainThreads.reduce((sum, time) => sum + time, 0),
    memory: Math.max(...memories),
  };
}
