/** Turns the problems of a cluster into one line and an exit code. */
import { report } from '@podscope/command-line';
import { ClusterError, StartError } from '@podscope/server/cluster';

/** Runs a command; a problem of the cluster or kubeconfig is reported, and the exit code is 1. */
export async function describingProblems(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClusterError) && !(error instanceof StartError)) throw error;
    report(`kubectl podscope: ${error.message}`);
    return 1;
  }
}
