/** Plays scenarios against their golden texts, which `UPDATE_GOLDEN=1` rewrites. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversation } from './conversation.ts';
import type { ConversationNode, ConversationOptions } from './conversation-node.ts';
import type { DebugClient } from './debug-client.ts';
import type { Scenario } from './scenario.ts';

const directory = join(import.meta.dirname, 'golden');

/** Connects clients to the node of a conversation. */
export interface Carrier<Node extends ConversationNode> {
  /** Only one carrier may write golden texts; the others must produce the same. */
  readonly mayUpdate: boolean;
  start(options: ConversationOptions): Promise<Node>;
  connect(node: Node): Promise<DebugClient>;
}

/** Plays one scenario over a carrier. Returns the conversation and its golden text, which must be equal. */
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
