/** Plays scenarios and compares them with their golden texts. `UPDATE_GOLDEN=1` writes them anew. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../system-clock.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.ts';
import { Conversation } from './conversation.ts';
import type { DebugClient } from './debug-client.ts';
import type { Scenario } from './scenario.ts';

const directory = join(import.meta.dirname, 'golden');

export interface Carrier {
  /** Only the carrier whose texts are kept may write them. */
  readonly mayUpdate: boolean;
  connect(cluster: TestCluster['cluster']): Promise<DebugClient>;
}

/** Plays one scenario over a carrier. @returns the conversation, and the golden text it has to be */
export async function playScenario({ name, options, run }: Scenario, carrier: Carrier): Promise<{ readonly text: string; readonly golden: string }> {
  // The stream is paced by real time, so that reading it moves the virtual clock by nothing.
  // The kubelet's delays depend on nothing else that draws numbers.
  const node = await startTestCluster({ ...options, pacing: systemClock(), jitter: () => 0.5 });
  const conversation = new Conversation(node, () => carrier.connect(node.cluster));
  try {
    await conversation.connect();
    await run(conversation);
    await conversation.happened();
  } finally {
    await conversation.close();
    await node.cluster.stop();
  }
  const file = join(directory, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN === '1' && carrier.mayUpdate) await writeFile(file, conversation.text);
  return { text: conversation.text, golden: await readFile(file, 'utf8').catch(() => '') };
}
