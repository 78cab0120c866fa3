/** Defines the terms of the glossary. Lessons, the page's help and docs/reference/glossary.md show these texts. */

interface TermTexts {
  readonly name: string;
  readonly text: string;
}
interface Term {
  readonly en: TermTexts;
  readonly 'zh-CN': TermTexts;
}

const term = (en: readonly [string, string], chinese: readonly [string, string]): Term => ({
  en: { name: en[0], text: en[1] },
  'zh-CN': { name: chinese[0], text: chinese[1] },
});

export const terms = {
  'api-server': term(
    [
      'API server',
      'The server that stores all objects of a cluster, such as pods. kubectl writes pods to it; the kubelet ' +
        'watches it for pods of its node.',
    ],
    ['API 服务器', '保存集群全部对象（例如 Pod）的服务器。kubectl 把 Pod 写到这里，kubelet 在这里监听自己节点的 Pod。'],
  ),
  'back-off': term(
    [
      'back-off',
      'The time for which the kubelet waits before it tries again. It doubles with each failure: 10, 20, ' +
        '40 … 300 seconds.',
    ],
    ['回退', 'kubelet 再次尝试之前等待的时间。每失败一次就加倍：10、20、40……最长 300 秒。'],
  ),
  cgroup: term(
    ['cgroup', 'Control group: the Linux kernel’s limit of memory, CPU and other resources for a group of processes.'],
    ['cgroup', '控制组：Linux 内核为一组进程限制内存、CPU 等资源的机制。'],
  ),
  checkpoint: term(
    [
      'checkpoint',
      'A file that dockershim writes for each sandbox, because Docker can’t store everything the kubelet ' +
        'needs to know about it.',
    ],
    ['检查点', 'dockershim 为每个沙箱写的文件，因为 Docker 无法保存 kubelet 需要的全部沙箱信息。'],
  ),
  cni: term(
    [
      'CNI',
      'Container Network Interface: how a runtime asks a network plugin for a pod’s network (ADD) and ' +
        'gives it back (DEL).',
    ],
    ['CNI', '容器网络接口：运行时通过它向网络插件申请 Pod 的网络（ADD），以及归还（DEL）。'],
  ),
  containerd: term(
    [
      'containerd',
      'The runtime below Docker Engine. It manages images and containers, and also implements CRI itself.',
    ],
    ['containerd', 'Docker Engine 之下的运行时，管理镜像和容器；它自己也实现了 CRI。'],
  ),
  cri: term(
    [
      'CRI',
      'Container Runtime Interface: the calls with which the kubelet uses a container runtime, such as ' +
        'RunPodSandbox and StartContainer.',
    ],
    ['CRI', '容器运行时接口：kubelet 使用容器运行时的一组调用，例如 RunPodSandbox 和 StartContainer。'],
  ),
  'docker-engine': term(
    ['Docker Engine', 'A container engine with an HTTP API. It doesn’t know pods and doesn’t implement CRI.'],
    ['Docker Engine', '一个提供 HTTP API 的容器引擎。它不认识 Pod，也没有实现 CRI。'],
  ),
  dockershim: term(
    [
      'dockershim',
      'Translates CRI calls to Docker Engine’s HTTP API. It was part of the kubelet until v1.23 and was ' +
        'removed in v1.24.',
    ],
    ['dockershim', '把 CRI 调用翻译成 Docker Engine 的 HTTP API。直到 v1.23 都是 kubelet 的一部分，v1.24 中被移除。'],
  ),
  eviction: term(
    ['eviction', 'The kubelet ends whole pods because the node runs short of memory, disk space or process IDs.'],
    ['驱逐', '节点的内存、磁盘空间或进程号不足时，kubelet 终止整个 Pod。'],
  ),
  'exit-code': term(
    [
      'exit code',
      'The number with which a process ends: 0 is success, anything else a failure. Above 128, a signal ' +
        'ended it: 128 plus the signal’s number.',
    ],
    ['退出码', '进程结束时给出的数字：0 表示成功，其他表示失败。大于 128 时是被信号结束的：128 加上信号的编号。'],
  ),
  'ephemeral-container': term(
    [
      'ephemeral container',
      'A container that kubectl debug adds to a running pod. It has no probes and isn’t restarted.',
    ],
    ['临时容器', 'kubectl debug 加入运行中 Pod 的容器。它没有探针，也不会重启。'],
  ),
  'grace-period': term(
    [
      'grace period',
      'The seconds between the request to stop a container and SIGKILL. The preStop hook uses up the same seconds.',
    ],
    ['宽限期', '从请求停止容器到发送 SIGKILL 之间的秒数。preStop 回调也占用这段时间。'],
  ),
  grpc: term(
    [
      'gRPC',
      'A way for one program to call functions of another: over HTTP/2, with messages in a compact binary ' +
        'format, Protocol Buffers. CRI uses it.',
    ],
    [
      'gRPC',
      '一个程序调用另一个程序中函数的方式：通过 HTTP/2，消息采用紧凑的二进制格式 Protocol Buffers。CRI 使用它。',
    ],
  ),
  hook: term(
    [
      'lifecycle hook',
      'A command or request that the kubelet runs after a container’s start (postStart) or before its stop ' +
        '(preStop).',
    ],
    ['生命周期回调', 'kubelet 在容器启动之后（postStart）或停止之前（preStop）执行的命令或请求。'],
  ),
  'init-container': term(
    [
      'init container',
      'A container that must end with exit code 0 before the next one starts. The app containers start ' +
        'after the last.',
    ],
    ['Init 容器', '必须以退出码 0 结束，下一个容器才会启动。最后一个结束后才启动应用容器。'],
  ),
  kubelet: term(
    [
      'kubelet',
      'The agent on each node. It compares the pods that should run with what the container runtime reports, ' +
        'and starts or stops containers until both match.',
    ],
    ['kubelet', '每个节点上的代理。它比较应当运行的 Pod 与容器运行时报告的状态，启动或停止容器，直到两者一致。'],
  ),
  kuberuntime: term(
    [
      'kuberuntime',
      'The part of the kubelet that turns a pod into CRI calls. Its SyncPod decides what to start and what to kill.',
    ],
    ['kuberuntime', 'kubelet 中把 Pod 变成 CRI 调用的部分。它的 SyncPod 决定启动什么、杀死什么。'],
  ),
  'mirror-pod': term(
    [
      'mirror pod',
      'A copy of a static pod that the kubelet creates in the API server, so that kubectl shows it. ' +
        'Deleting it doesn’t stop the pod.',
    ],
    ['镜像 Pod', 'kubelet 在 API 服务器中为静态 Pod 创建的副本，让 kubectl 能看到它。删除它并不会停止该 Pod。'],
  ),
  namespace: term(
    [
      'namespace (Linux)',
      'A view of the machine that the kernel gives to a process, such as its own network addresses or its own list ' +
        'of processes. Processes in the same namespace share that view.',
    ],
    [
      '命名空间（Linux）',
      '决定进程能看到机器的哪一部分，例如自己的网络地址或进程列表。同一个命名空间里的进程看到的内容相同。',
    ],
  ),
  'pause-container': term(
    [
      'pause container',
      'The container that holds a sandbox on Docker: its process does nothing, and the pod’s namespaces ' +
        'live as long as it does.',
    ],
    ['pause 容器', '在 Docker 上支撑沙箱的容器：它的进程什么也不做，Pod 的命名空间与它同生共死。'],
  ),
  phase: term(
    ['phase', 'The pod’s state in one word: Pending, Running, Succeeded, Failed or Unknown.'],
    ['阶段（phase）', '用一个词概括 Pod 的状态：Pending、Running、Succeeded、Failed 或 Unknown。'],
  ),
  pleg: term(
    [
      'PLEG',
      'Pod Lifecycle Event Generator: lists the runtime’s containers every second, in v1.36 also those of one ' +
        'pod after a sync that changed it, and reports each change as an event.',
    ],
    [
      'PLEG',
      'Pod 生命周期事件生成器：每秒列出运行时的容器（v1.36 在同步改变某个 Pod 之后还会单独列出它的容器），把每个变化报告为事件。',
    ],
  ),
  pod: term(
    ['pod', 'One or more containers that are started together on one node and share a network.'],
    ['Pod', '在同一个节点上一起启动、共用网络的一个或多个容器。'],
  ),
  'pod-cache': term(
    [
      'pod cache',
      'The newest status of each pod’s containers, written by PLEG. A sync waits until it is newer than ' +
        'the previous sync.',
    ],
    ['Pod 缓存', '每个 Pod 的容器的最新状态，由 PLEG 写入。同步会等到它比上一次同步更新为止。'],
  ),
  'pod-worker': term(
    [
      'pod worker',
      'The part of the kubelet that takes care of one pod. It runs the pod’s syncs one after the other, never two ' +
        'at once.',
    ],
    ['Pod worker', 'kubelet 中专门负责一个 Pod 的部分。它依次执行这个 Pod 的同步，从不同时执行两个。'],
  ),
  probe: term(
    [
      'probe',
      'A check that the kubelet repeats: startup (has it started?), liveness (restart it?), readiness ' +
        '(send traffic?).',
    ],
    ['探针', 'kubelet 反复进行的检查：启动（启动好了吗？）、存活（要重启吗？）、就绪（可以接收流量吗？）。'],
  ),
  'qos-class': term(
    [
      'QoS class',
      'Guaranteed, Burstable or BestEffort, from the requests and limits of a pod. It decides which ' +
        'pods are killed first when memory is short.',
    ],
    ['QoS 类', '根据 Pod 的请求和限制得出：Guaranteed、Burstable 或 BestEffort。内存不足时，它决定先杀死哪些 Pod。'],
  ),
  relist: term(
    [
      'relist',
      'PLEG’s question to the runtime for all its sandboxes and containers, asked once a second. ' +
        'PLEG compares the answer with the previous one. v1.36 also asks for one pod after a sync that changed it.',
    ],
    [
      'relist',
      'PLEG 向运行时查询全部沙箱和容器，每秒一次，并与上一次的结果比较。v1.36 在同步改变 Pod 之后还会单独查询它。',
    ],
  ),
  'restart-policy': term(
    ['restart policy', 'Always, OnFailure or Never: whether the kubelet starts a container again that has ended.'],
    ['重启策略', 'Always、OnFailure 或 Never：容器结束后 kubelet 是否再次启动它。'],
  ),
  runtime: term(
    [
      'container runtime',
      'The program that runs containers for the kubelet: containerd, CRI-O, or Docker Engine behind dockershim.',
    ],
    ['容器运行时', '为 kubelet 运行容器的程序：containerd、CRI-O，或 dockershim 背后的 Docker Engine。'],
  ),
  sandbox: term(
    [
      'sandbox',
      'The environment that a pod’s containers share, above all its network. It is created before the ' +
        'first container.',
    ],
    ['沙箱', 'Pod 中各容器共用的环境，首先是网络。它在第一个容器之前创建。'],
  ),
  sidecar: term(
    [
      'sidecar container',
      'An init container with restartPolicy Always: it starts before the app containers, keeps running, ' +
        'and stops after them.',
    ],
    ['边车容器', 'restartPolicy 为 Always 的 Init 容器：在应用容器之前启动，一直运行，在它们之后停止。'],
  ),
  signal: term(
    [
      'signal',
      'A short message to a process. SIGTERM (15) asks it to end, and the program may react or ignore it. SIGKILL ' +
        '(9) ends it at once and can’t be ignored.',
    ],
    [
      '信号',
      '发给进程的简短消息。SIGTERM（15）请求它结束，程序可以处理，也可以忽略；SIGKILL（9）立即结束它，无法忽略。',
    ],
  ),
  'static-pod': term(
    [
      'static pod',
      'A pod from a file on the node. The kubelet runs it without an API server, for example the control ' +
        'plane itself.',
    ],
    ['静态 Pod', '来自节点上文件的 Pod。没有 API 服务器 kubelet 也会运行它，控制平面自身就是这样运行的。'],
  ),
  sync: term(
    [
      'sync',
      'One pass of a pod’s worker: compares the wanted pod with the containers that exist, and takes the ' +
        'next actions.',
    ],
    ['同步', 'Pod worker 的一轮工作：比较期望的 Pod 与现有的容器，并采取下一步动作。'],
  ),
} as const satisfies Record<string, Term>;

/** Id of a term. */
export type GlossaryId = keyof typeof terms;
