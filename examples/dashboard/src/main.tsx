/** A dashboard of pods: a row for each, with a badge for those in trouble. */
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Pod, watchPods } from './pods.ts';

/** Follows the pods; lists again when the watch ends. */
function usePods(): { readonly pods: readonly Pod[]; readonly problem: string | undefined } {
  const [pods, setPods] = useState<readonly Pod[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      while (!abort.signal.aborted) {
        try {
          await watchPods(abort.signal, (found) => {
            setProblem(undefined);
            setPods(found);
          });
        } catch (error) {
          if (!abort.signal.aborted) setProblem(String(error));
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    };
    void follow();
    return () => abort.abort();
  }, []);
  return { pods, problem };
}

/** Texts for people who don't know the reasons of Kubernetes. */
const explanations: Readonly<Record<string, string>> = {
  CrashLoopBackOff: 'Keeps crashing',
  ErrImagePull: 'Image not available',
  ImagePullBackOff: 'Image not available',
};

function Row({ pod }: { readonly pod: Pod }) {
  const containers = pod.status?.containerStatuses ?? [];
  const waiting = containers.map(({ state }) => state?.waiting).find((state) => state !== undefined);
  const restarts = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const badge = explanations[waiting?.reason ?? ''];
  const state = pod.metadata.deletionTimestamp ? 'Terminating' : (waiting?.reason ?? pod.status?.phase ?? 'Unknown');
  return (
    <tr>
      <th scope="row">{pod.metadata.name}</th>
      <td>
        {state} {badge && <strong role="status">{badge}</strong>}
      </td>
      <td>
        {containers.filter(({ ready }) => ready).length}/{containers.length}
      </td>
      <td>{restarts}</td>
      <td>{badge && waiting?.message}</td>
    </tr>
  );
}

function Dashboard() {
  const { pods, problem } = usePods();
  return (
    <main>
      <h1>Pods</h1>
      {problem && <p role="alert">The cluster does not answer: {problem}</p>}
      <table>
        <thead>
          <tr>
            {['Pod', 'State', 'Ready', 'Restarts', 'Message'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pods.map((pod) => (
            <Row key={pod.metadata.uid} pod={pod} />
          ))}
        </tbody>
      </table>
    </main>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Dashboard />);
