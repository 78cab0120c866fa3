/** Converts problems of a cluster to one line and an exit code. */
import { report } from '@podscope/command-line';
import { ClusterError, StartError } from '@podscope/server/cluster';

/** Runs a command. Reports a problem of the cluster or kubeconfig as one line and returns exit code 1. */
export async function describingProblems(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClusterError) && !(error instanceof StartError)) throw error;
    report(`kubectl podscope: ${error.message}`);
    return 1;
  }
}
