/** Reads the termination message of a container. Upstream: kuberuntime_container.go getTerminationMessage (v1.36). */
import { errorText } from '@podscope/base';
import type { ContainerStatus } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { containerInfoFromAnnotations } from '../labels.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';

const maxFileBytes = 4096;
const maxLogLines = 80;
const maxLogBytes = 2048;

const decoder = new TextDecoder();

/**
 * Returns the runtime's message, followed by the content of the termination message file. If the file is empty, the
 * container failed and the policy allows it, the end of the log is used instead of the file.
 */
export async function terminationMessage(
  ctx: Context,
  dependencies: RuntimeDependencies,
  status: ContainerStatus,
): Promise<string> {
  const { terminationMessagePath, terminationMessagePolicy } = containerInfoFromAnnotations(status.annotations);
  // A container that the runtime couldn't run has no log.
  const fallsBack =
    terminationMessagePolicy === 'FallbackToLogsOnError' &&
    status.exitCode !== 0 &&
    status.reason !== 'ContainerCannotRun';
  const fromFile = await fileMessage(dependencies, status, terminationMessagePath);
  const text = fromFile || (fallsBack ? await logMessage(ctx, dependencies, status) : '');
  if (text === '') return status.message;
  return status.message === '' ? text : `${status.message}: ${text}`;
}

/** Returns the message from the file, or an empty string if the file is empty or missing. */
async function fileMessage({ os }: RuntimeDependencies, { mounts }: ContainerStatus, path: string): Promise<string> {
  const hostPath = path === '' ? undefined : mounts.find(({ containerPath }) => containerPath === path)?.hostPath;
  if (!hostPath) return '';
  try {
    return decoder.decode((await os.readTail(hostPath, maxFileBytes)) ?? new Uint8Array());
  } catch (error) {
    return `Error on reading termination log ${hostPath}: ${errorText(error)}`;
  }
}

async function logMessage(ctx: Context, { logs }: RuntimeDependencies, { id }: ContainerStatus): Promise<string> {
  try {
    let text = '';
    for await (const line of logs.containerLogs(ctx, id, { tailLines: maxLogLines }))
      text += line.partial ? line.text : `${line.text}\n`;
    const bytes = new TextEncoder().encode(text);
    return decoder.decode(bytes.subarray(Math.max(0, bytes.length - maxLogBytes)));
  } catch (error) {
    return `Error on reading termination message from logs: ${errorText(error)}`;
  }
}
