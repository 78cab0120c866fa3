/** Contains the texts of the kubelet's loops, handlers, pod workers and sync functions. */
import type { IDOf } from '../level.ts';
import type {
  kubeletLoops,
  kubeletLoopsV120,
  kubeletLoopsV136,
  plegEvents,
  podUpdates,
  podUpdatesV120,
  podWorker,
  podWorkerCalls,
  podWorkerV120,
  syncLoopHandlers,
} from '../levels/kubelet.ts';
import type {
  kubeletSyncPodSteps,
  kubeletSyncPodStepsV120,
  syncTerminatedPodSteps,
  syncTerminatingPodSteps,
} from '../levels/kubelet-sync-pod.ts';
import { named, type Texts, titled } from './text.ts';

type KubeletID =
  | IDOf<typeof kubeletLoops>
  | IDOf<typeof kubeletLoopsV136>
  | IDOf<typeof kubeletLoopsV120>
  | IDOf<typeof syncLoopHandlers>
  | IDOf<typeof podUpdates>
  | IDOf<typeof podUpdatesV120>
  | IDOf<typeof plegEvents>
  | IDOf<typeof podWorker>
  | IDOf<typeof podWorkerV120>
  | IDOf<typeof podWorkerCalls>
  | IDOf<typeof kubeletSyncPodSteps>
  | IDOf<typeof kubeletSyncPodStepsV120>
  | IDOf<typeof syncTerminatingPodSteps>
  | IDOf<typeof syncTerminatedPodSteps>;

export const kubeletTexts: Texts<KubeletID> = {
  'kubelet.syncLoopIteration': named(
    'SyncLoop',
    "Reads one message from one of the sync loop's channels and calls its handler.",
    '从 sync loop 的某个通道读取一条消息，并调用对应的处理函数。',
  ),
  'kubelet.relist': named(
    'Relist',
    'Lists the containers of the runtime, compares them with the previous list and emits an event per change.',
    '列出运行时中的容器，与上一次的列表比较，每个变化产生一个事件。',
  ),
  'kubelet.probe': titled(
    ['Probe', 'Runs one attempt of a startup, liveness or readiness probe.'],
    ['探针', '执行一次启动、存活或就绪探测。'],
  ),
  'kubelet.statusManager.syncPod': titled(
    ['Write status', "Patches the pod's status in the API with the cached one."],
    ['写入状态', '用缓存中的状态更新 API 中的 Pod 状态。'],
  ),
  'kubelet.allocateResize': titled(
    ['Decide about a resize', 'Grants the resources that a running pod requests, if they fit on the node.'],
    ['决定是否调整资源', '如果节点容纳得下，就同意运行中的 Pod 请求的资源。'],
  ),
  'kubelet.containerDeletor': titled(
    ['Container deletor', 'Removes old instances of a container that has just exited.'],
    ['容器删除器', '删除刚刚退出的容器的旧实例。'],
  ),
  'kubelet.garbageCollection': titled(
    ['Garbage collection', 'Removes dead containers, unused sandboxes and their logs.'],
    ['垃圾收集', '删除已退出的容器、不再使用的沙箱以及它们的日志。'],
  ),
  'kubelet.imageGarbageCollection': titled(
    ['Image garbage collection', 'Removes unused images when their disk is nearly full.'],
    ['镜像垃圾收集', '当镜像所在的磁盘快满时，删除未使用的镜像。'],
  ),
  'kubelet.fastStaticPodsRegistration': titled(
    ['Register a static pod', 'Creates the mirror pod of a static pod as soon as the node is registered.'],
    ['注册静态 Pod', '节点注册后立即为静态 Pod 创建镜像 Pod。'],
  ),
  'kubelet.podKiller': titled(
    ['Pod killer', 'Kills pods that are no longer in any source.'],
    ['Pod 终结器', '杀死不再属于任何来源的 Pod。'],
  ),
  'kubelet.sandboxDeletor': titled(
    ['Sandbox deletor', 'Removes dead sandboxes that have no containers.'],
    ['沙箱删除器', '删除已停止且没有容器的沙箱。'],
  ),
  'kubelet.HandlePodAdditions': named(
    'HandlePodAdditions',
    'Admits new pods and starts a worker for each.',
    '准入新的 Pod，并为每个 Pod 启动一个 worker。',
  ),
  'kubelet.HandlePodUpdates': named(
    'HandlePodUpdates',
    'Passes changed pods to their workers.',
    '把有变化的 Pod 交给它们的 worker。',
  ),
  'kubelet.HandlePodRemoves': named(
    'HandlePodRemoves',
    'Terminates pods that are no longer in any source.',
    '终止不再属于任何来源的 Pod。',
  ),
  'kubelet.HandlePodReconcile': named(
    'HandlePodReconcile',
    'Reconciles pods whose status was changed in the API.',
    '调和状态在 API 中被修改的 Pod。',
  ),
  'kubelet.HandlePodSyncs': named(
    'HandlePodSyncs',
    'Requests another sync of pods whose time has come or whose probes reported a change.',
    '为到时间的或探测结果有变化的 Pod 再请求一次同步。',
  ),
  'kubelet.HandlePodCleanups': named(
    'HandlePodCleanups',
    'Housekeeping: removes workers, probes, cgroups and directories of pods that no longer exist.',
    '清理：移除已不存在的 Pod 的 worker、探针、cgroup 和目录。',
  ),
  'kubelet.UpdatePod': named(
    'UpdatePod',
    "Queues an update for the pod's worker and wakes it.",
    '把更新放入 Pod 的 worker 的队列，并唤醒它。',
  ),
  'kubelet.dispatchWork': named(
    'dispatchWork',
    'Passes a pod to its worker, or completes its deletion if it has terminated.',
    '把 Pod 交给它的 worker；如果 Pod 已终止，则完成它的删除。',
  ),
  'kubelet.plegEvent': titled(
    ['PLEG event', 'Sends one pod lifecycle event to the sync loop. It can be delayed, dropped or duplicated.'],
    ['PLEG 事件', '向 sync loop 发送一个 Pod 生命周期事件。可以延迟、丢弃或重复它。'],
  ),
  'kubelet.podWorkerLoop': named(
    'podWorkerLoop',
    'Syncs one pod once: SyncPod, SyncTerminatingPod or SyncTerminatedPod.',
    '对一个 Pod 做一次同步：SyncPod、SyncTerminatingPod 或 SyncTerminatedPod。',
  ),
  'kubelet.managePodLoop': named(
    'managePodLoop',
    'Syncs one pod once and schedules the next sync.',
    '对一个 Pod 做一次同步，并安排下一次同步。',
  ),
  'kubelet.getNewerThan': titled(
    ['Wait for a newer status', "Waits until the PLEG has read the pod's state after the previous sync."],
    ['等待更新的状态', '等待 PLEG 在上一次同步之后读取过 Pod 的状态。'],
  ),
  'kubelet.SyncPod': titled(
    [
      'kubelet SyncPod',
      "Prepares everything around the containers of a pod, then calls the runtime manager's SyncPod.",
    ],
    ['kubelet SyncPod', '准备 Pod 的容器所需的一切，然后调用运行时管理器的 SyncPod。'],
  ),
  'kubelet.SyncTerminatingPod': named(
    'SyncTerminatingPod',
    'Stops all containers of the pod and records their exit codes.',
    '停止 Pod 的所有容器，并记录它们的退出码。',
  ),
  'kubelet.SyncTerminatingRuntimePod': named(
    'SyncTerminatingRuntimePod',
    'Stops a pod that exists in the runtime but in no source.',
    '停止只存在于运行时、不属于任何来源的 Pod。',
  ),
  'kubelet.SyncTerminatedPod': named(
    'SyncTerminatedPod',
    'Releases the volumes and the cgroup of a terminated pod.',
    '释放已终止的 Pod 的卷和 cgroup。',
  ),

  'kubelet.syncPod.recordLatency': titled(
    ['Latency', 'Records how long the pod waited for its worker since the kubelet first saw it.'],
    ['延迟', '记录 Pod 自首次被 kubelet 看到起，等待 worker 的时间。'],
  ),
  'kubelet.syncPod.generateAPIPodStatus': titled(
    ['Generate the API status', 'Computes phase, conditions and container states from what the runtime reports.'],
    ['生成 API 状态', '根据运行时报告的内容计算阶段、状况和容器状态。'],
  ),
  'kubelet.syncPod.canRunPod': titled(
    ['Soft admission', 'Checks whether the pod may run. If not, it is kept and its containers wait as Blocked.'],
    ['软准入', '检查 Pod 是否可以运行。如果不可以，则保留 Pod，其容器以 Blocked 状态等待。'],
  ),
  'kubelet.syncPod.setPodStatus': titled(
    ['Publish the status', 'Passes the status to the status manager, which writes it to the API.'],
    ['发布状态', '把状态交给状态管理器，由它写入 API。'],
  ),
  'kubelet.syncPod.killPod': titled(
    ['Kill a pod that may not run', 'Kills a pod that is deleted, has failed or may not run, and ends the sync.'],
    ['杀死不可运行的 Pod', '杀死被删除、已失败或不可运行的 Pod，并结束这次同步。'],
  ),
  'kubelet.syncPod.checkNetwork': titled(
    ['Check the network', "Fails until the runtime's network is ready, unless the pod uses the host network."],
    ['检查网络', '在运行时网络就绪之前返回失败；使用主机网络的 Pod 除外。'],
  ),
  'kubelet.syncPod.ensurePodCgroup': titled(
    ['Pod cgroup', "Creates the pod's cgroup below that of its QoS class."],
    ['Pod cgroup', '在其 QoS 类的 cgroup 下创建 Pod 的 cgroup。'],
  ),
  'kubelet.syncPod.reconcileMirrorPod': titled(
    ['Mirror pod', 'Creates or replaces the API object that represents a static pod.'],
    ['镜像 Pod', '创建或替换在 API 中代表静态 Pod 的对象。'],
  ),
  'kubelet.syncPod.makePodDataDirs': titled(
    ['Data directories', "Creates the pod's directories on the node."],
    ['数据目录', '在节点上创建 Pod 的目录。'],
  ),
  'kubelet.syncPod.waitForVolumes': titled(
    ['Volumes', "Waits until the volumes of the pod's containers are mounted."],
    ['卷', '等待 Pod 的容器所用的卷挂载完成。'],
  ),
  'kubelet.syncPod.getPullSecrets': titled(
    ['Pull secrets', 'Reads the secrets for private images from the API.'],
    ['拉取镜像的 Secret', '从 API 读取私有镜像所需的 Secret。'],
  ),
  'kubelet.syncPod.addPodProbes': titled(
    ['Probe workers', 'Starts a worker for each probe.'],
    ['探针 worker', '为每个探针启动一个 worker。'],
  ),
  'kubelet.syncPod.runtimeSyncPod': titled(
    ['Runtime SyncPod', 'Calls the runtime manager, which makes the containers match the pod.'],
    ['运行时 SyncPod', '调用运行时管理器，使容器与 Pod 的声明一致。'],
  ),
  'kubelet.syncPod.updateReasonCache': titled(
    ['Reason cache', 'Remembers why containers failed to start, for the next status.'],
    ['原因缓存', '记住容器未能启动的原因，供下一次生成状态时使用。'],
  ),

  'kubelet.syncTerminatingPod.generateAPIPodStatus': titled(
    ['Generate the terminating status', 'Computes the status at the start of the termination and publishes it.'],
    ['生成终止中的状态', '计算终止开始时的状态并发布。'],
  ),
  'kubelet.syncTerminatingPod.killPod': titled(
    ['Kill the pod', 'Runs preStop hooks, stops the containers within the grace period, then stops the sandboxes.'],
    ['杀死 Pod', '运行 preStop 回调，在宽限期内停止容器，然后停止沙箱。'],
  ),
  'kubelet.syncTerminatingPod.verifyStopped': titled(
    [
      'Verify that nothing runs',
      'Reads the state from the runtime, not from the cache, and fails if a container runs.',
    ],
    ['确认没有容器在运行', '从运行时而不是缓存读取状态；如果还有容器在运行，则失败。'],
  ),
  'kubelet.syncTerminatingPod.finalStatus': titled(
    ['Record the final status', 'Computes and publishes the status with the exit codes before containers are removed.'],
    ['记录最终状态', '在删除容器之前，计算并发布带有退出码的状态。'],
  ),
  'kubelet.syncTerminatedPod.generateAPIPodStatus': titled(
    ['Generate the terminated status', 'Computes the last status and publishes it.'],
    ['生成已终止的状态', '计算最后的状态并发布。'],
  ),
  'kubelet.syncTerminatedPod.waitForUnmount': titled(
    ['Tear down volumes', "Waits until the pod's volumes are unmounted."],
    ['卸载卷', '等待 Pod 的卷卸载完成。'],
  ),
  'kubelet.syncTerminatedPod.destroyPodCgroup': titled(
    ['Remove the pod cgroup', "Kills the processes left in the pod's cgroup and removes it."],
    ['移除 Pod cgroup', '杀死 Pod cgroup 中残留的进程，并移除 cgroup。'],
  ),
  'kubelet.syncTerminatedPod.terminatePod': titled(
    ['Finish', 'Marks the pod as terminated. From here on the API object may be deleted.'],
    ['完成', '把 Pod 标记为已终止。此后可以删除 API 对象。'],
  ),
};
