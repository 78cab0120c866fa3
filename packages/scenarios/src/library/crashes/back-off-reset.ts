/** Scenario: a long run resets the kubelet's back-off. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const backOffReset: Scenario = {
  id: 'back-off-reset',
  category: 'crashes',
  title: text('Failing after a long run', '长时间运行后失败'),
  summary: text(
    'Four failures in a row, then eleven minutes of work, then another failure. After such a long run ' +
      'the back-off starts again.',
    '连续四次失败，然后工作十一分钟，再次失败。经过这么长的运行之后，回退重新开始。',
  ),
  notice: [
    text(
      'After more than ten minutes, twice the longest wait, the kubelet resets the back-off. The next ' +
        'restart is immediate, and the one after it waits 10 s.',
      '超过十分钟（最长等待的两倍）之后 kubelet 会忘记：下一次重启立即发生，再下一次等待 10 秒。',
    ),
    text('The restart count isn’t reset: it only grows.', '重启次数不会被忘记：它只增不减。'),
    text('Resume time at ×100, or jump to the next event.', '以 ×100 恢复时间，或跳到下一个事件。'),
  ],
  manifest: podManifest(
    'back-off-reset',
    `
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'n=$(cat /state/runs 2>/dev/null || echo 0); n=$((n+1)); echo $n > /state/runs; echo run $n; if [ $n -eq 5 ]; then sleep 660; fi; sleep 1; exit 1']
    volumeMounts:
      - { name: state, mountPath: /state }
volumes:
  - name: state
    emptyDir: {}
`,
  ),
  duration: 820,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: onlySimulated(
    'On a real engine it takes fourteen minutes, and real time can’t be made to pass faster.',
    '在真实引擎上需要十四分钟，而真实时间无法加快。',
  ),
};
