/** Describes differences between v1.20 and v1.36 that many scenarios share. */
import { text } from './authoring.ts';

/** The text for scenarios in which both releases make the same calls in the same order. */
export const onlyLater = text(
  'Only the pace and the words of some events: v1.20 sees the effect of its own sync at its next relist, up to a ' +
    'second later; v1.36 lists the pod right after the sync.',
  '只有节奏和部分事件的措辞不同：v1.20 要到下一次 relist 才看到自己同步的结果，最多晚一秒；v1.36 在同步之后立即列出这个 Pod。',
);

export const moreSyncs = text(
  'The waits are the same. v1.20 sees a start up to a second later, syncs the pod more often while it waits, ' +
    'and says BackOff each time.',
  '等待时间相同。v1.20 最多晚一秒才看到启动，在等待期间同步 Pod 的次数更多，并且每次都报告 BackOff。',
);

export const pullReason = text(
  'While it waits, v1.20 says only “Back-off pulling image”; v1.36 adds why the last pull failed.',
  '等待期间，v1.20 只说 “Back-off pulling image”；v1.36 还会附上上次拉取失败的原因。',
);

export const removal = text(
  'v1.20 removes container and sandbox as soon as they have ended, and may stop the sandbox more than once; ' +
    'v1.36 leaves removal to garbage collection.',
  'v1.20 在容器和沙箱结束后立即删除它们，并且可能多次停止沙箱；v1.36 把删除留给垃圾收集。',
);

export const completion = text(
  'When nothing is left to run, v1.20 ends the sandbox within SyncPod, since nothing is kept; v1.36 has a ' +
    'termination of its own for pods that are over.',
  '没有可运行的内容时，v1.20 在 SyncPod 内结束沙箱，因为什么都不保留；v1.36 对已结束的 Pod 有单独的终止流程。',
);

export const initStep = text(
  'v1.20 has a step that starts the next init container; in v1.36 that step starts all that may run, sidecars ' +
    'among them.',
  'v1.20 的步骤是启动下一个 Init 容器；在 v1.36 中这一步会启动所有可以运行的 Init 容器，包括边车。',
);

export const sandboxWords = text(
  'Only the words of the failure: v1.20 says “CreatePodSandbox for pod … failed”, v1.36 “Failed to create ' +
    'sandbox for pod …”.',
  '只有失败的措辞不同：v1.20 说 “CreatePodSandbox for pod … failed”，v1.36 说 “Failed to create sandbox for pod …”。',
);

/** For scenarios in which the network of a sandbox fails. */
export const failedSandbox = text(
  'v1.20 leaves the failed sandbox. Its next relist finds it, so a new sandbox (SandboxChanged) follows within two ' +
    'seconds. v1.36 removes the failed sandbox and retries after ten to fifteen seconds.',
  'v1.20 会留下失败的沙箱。下一次 relist 会发现它，因此两秒内就会创建新的沙箱（SandboxChanged）。' +
    'v1.36 会删除失败的沙箱，并在 10 到 15 秒后重试。',
);

export const oneMoreTry = text(
  'v1.20 tries once more in the same time: its first look at the runtime finds the new sandbox, and that is a ' +
    'reason to sync.',
  '在同样的时间里 v1.20 多尝试一次：它第一次查看运行时会发现新沙箱，这就引起一次同步。',
);
