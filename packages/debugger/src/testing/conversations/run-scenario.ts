/** Plays scenarios and compares them with their golden texts. `UPDATE_GOLDEN=1` rewrites the golden texts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversation } from './conversation.ts';
import type { ConversationNode, ConversationOptions } from './conversation-node.ts';
import type { DebugClient } from './debug-client.ts';
import type { Scenario } from './scenario.ts';

const directory = join(import.meta.dirname, 'golden');

/** Connects clients to the node of a conversation. */
export interface Carrier<Node extends ConversationNode> {
  /** True for the one carrier that may write golden texts; every other carrier must produce the same texts. */
  readonly mayUpdate: boolean;
  start(options: ConversationOptions): Promise<Node>;
  connect(node: Node): Promise<DebugClient>;
}

/**
 * Plays one scenario over a carrier. Returns the recorded conversation and its golden text; the test expects them to be
 * equal.
 */
export async function playScenario<Node extends ConversationNode>(
  { name, options = {}, run }: Scenario,
  carrier: Carrier<Node>,
): Promise<{ readonly text: string; readonly golden: string }> {
  const node = await carrier.start(options);
  const conversation = new Conversation(node, () => carrier.connect(node));
  try {
    await conversation.connect();
    await run(conversation);
    await conversation.happened();
  } finally {
    await conversation.close();
    await node.stop();
  }
  const file = join(directory, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN === '1' && carrier.mayUpdate) await writeFile(file, conversation.text);
  return { text: conversation.text, golden: await readFile(file, 'utf8').catch(() => '') };
}
