/** The last words of a container. Upstream: kuberuntime_container.go getTerminationMessage (v1.36). */
import type { ContainerStatus } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { containerInfoFromAnnotations } from '../labels.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { errorText } from '../util/errors.ts';

const maxFileBytes = 4096;
const maxLogLines = 80;
const maxLogBytes = 2048;

const decoder = new TextDecoder();

/** From the file the container wrote, else, if it failed and the policy says so, from its log; behind what the runtime says. */
export async function terminationMessage(ctx: Context, parts: RuntimeParts, status: ContainerStatus): Promise<string> {
  const { terminationMessagePath, terminationMessagePolicy } = containerInfoFromAnnotations(status.annotations);
  // A container that could not be run wrote nothing.
  const fallsBack = terminationMessagePolicy === 'FallbackToLogsOnError' && status.exitCode !== 0 && status.reason !== 'ContainerCannotRun';
  const fromFile = await fileMessage(parts, status, terminationMessagePath);
  const text = fromFile || (fallsBack ? await logMessage(ctx, parts, status) : '');
  if (text === '') return status.message;
  return status.message === '' ? text : `${status.message}: ${text}`;
}

/** Empty when there is nothing. */
async function fileMessage({ os }: RuntimeParts, { mounts }: ContainerStatus, path: string): Promise<string> {
  const hostPath = path === '' ? undefined : mounts.find(({ containerPath }) => containerPath === path)?.hostPath;
  if (!hostPath) return '';
  try {
    return decoder.decode((await os.readTail(hostPath, maxFileBytes)) ?? new Uint8Array());
  } catch (error) {
    return `Error on reading termination log ${hostPath}: ${errorText(error)}`;
  }
}

async function logMessage(ctx: Context, { logs }: RuntimeParts, { id }: ContainerStatus): Promise<string> {
  try {
    let text = '';
    for await (const line of logs.containerLogs(ctx, id, { tailLines: maxLogLines })) text += line.partial ? line.text : `${line.text}\n`;
    const bytes = new TextEncoder().encode(text);
    return decoder.decode(bytes.subarray(Math.max(0, bytes.length - maxLogBytes)));
  } catch (error) {
    return `Error on reading termination message from logs: ${errorText(error)}`;
  }
}
