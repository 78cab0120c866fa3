/** Contains the Chinese texts of diagnoses of what a program depends on: settings, the mesh, and other containers. */
export const dependency = {
  saidUnsetTitle: '{container} 缺少必需的设置',
  saidUnset: '程序必需的某项设置没有给出，因此退出：“{line}”。',
  saidUnsetFix: '在 {owner} 中设置它所指出的内容',
  saidAbsentTitle: '{container} 找不到它需要的东西',
  saidAbsent: '程序找不到它需要的东西，因此退出：“{line}”。',
  saidAbsentFix: '创建它所指出的对象，或在 {owner} 中更正其名称',
  saidValueTitle: '{container} 不接受某个值',
  saidValue: '程序不接受所给的某个值，因此退出：“{line}”。',
  saidValueFix: '在 {owner} 中更正它所指出的值',
  saidVersionTitle: '{container} 遇到它不支持的版本',
  saidVersion: '程序与其所用内容的版本互不匹配：“{line}”。',
  saidVersionFix: '在 {owner} 中设置版本匹配的镜像',
  saidStateTitle: '{container} 遇到使其无法工作的状态',
  saidState: '已经存在的内容，或被另一实例占用的内容，使程序无法工作：“{line}”。',
  saidStateFix: '在 {owner} 中清除先前运行遗留的内容，或只让一个实例运行',
  saidAmountTitle: '{container} 超出了某个上限',
  saidAmount: '程序超出了某个上限，因此退出：“{line}”。',
  saidAmountFix: '在 {owner} 中提高它所指出的上限，或让它需要得更少',
  saidSources: '它从 {sources} 获取设置。',
  saidVariables: '模板为它设置了 {variables}，没有 ConfigMap 或 Secret。',
  saidSourceFix: '如果该设置在 {kind} {name} 中，请在那里更正',
  runLowPortEnv:
    '让它监听端口 {other}：在 {owner} 中把 {variable} 设为 {value}，并把端口 {other} 用作 containerPort 和其 Service 的 targetPort',
  meshGoneTitle: '{container} 的控制平面 {service} 不存在',
  meshGone:
    '网格代理 {container} 在命名空间 {space} 中寻找其控制平面 {service}，但没有该名称的 Service：' +
    '修订版 {revision} 已被移除，或 Pod 注入了错误的修订版。没有它，代理既得不到配置也得不到证书。其他容器只是因此受到影响。',
  meshRevisions: '查看存在哪些控制平面修订版',
  meshLabel: '把命名空间的标签设为存在的修订版（或重新安装该修订版的控制平面）',
  meshCniTitle: 'Pod 的流量没有重定向到网格代理',
  meshCni:
    '{container} 检查网格的 iptables 规则是否就位，而它们并不存在：在节点 {node} 上创建 Pod 的沙箱时，网格的 CNI 插件没有运行。',
  meshCniSandbox: '重启容器永远无法纠正这一点，因为 CNI 插件只为新的沙箱运行。',
  meshCniPods: '查看 DaemonSet {plugin} 的 Pod 是否在节点 {node} 上运行',
  meshCniFiles: '查看 {node} 的 CNI 配置是否包含该插件',
  meshCniAgain: '一旦 {plugin} 在那里运行，就删除该 Pod，使其替代者得到新的沙箱',
  injectedElse: '如果是 {container} 自身的设置有误，请在 {by} 配置其注入器的地方更正',
  hookLogged: '{container} 的日志说明了原因。',
  probeThrough: '{kind} 探针请求端口 {port}，由 {other} 代此容器监听：{other} 没有应答，因此原因在那里。',
  probeBase: '{place} 将 {prefix} 设为所有路径的前缀，而探针的路径缺少它。',
  probeBaseFix: '在 {owner} 中把 {container} 的 {field} 的路径设为 {full}',
  saidOwnTitle: '{container} 因其自身的错误而自行结束',
  saidOwn: '结束程序的既不是 kubelet，也不是某个限制：它报告其自身工作中的某个状况并退出：“{line}”。',
  saidOwnFix: '更正它所指出的内容（其数据或背后的服务），或在 {owner} 中更改其设置',
  saidPlace: '它由 {place} 设置。',
  saidPlaceFix: '提供消息所指出的内容，或在 {owner} 中更改 {place}',
  schedTolerateNow: '如果 Pod 应在那里运行，让这个 Pod 容忍污点 {taint}；随后它会立即被调度',
  schedPortsSurgeNodes:
    '其主机端口 {ports} 在 {nodes} 个节点上已被占用：每个节点上一个主机端口只有一个。' +
    '很可能是上一修订版的 Pod 占用它：在超量更新时，{owner} 先启动新 Pod 再停止旧 Pod，因此滚动更新永远不会结束。',
  schedPortsSurgeFix: '让 {owner} 先停止旧 Pod 再启动新 Pod',
  gateFind: '找到处理 {names} 的控制器，并查看其日志',
  gateRemove: '仅当该控制器确实不再存在时：手动移除门控（随后 Pod 不经其检查即被调度）',
  refusePinned: '没有调度器的事件：模板很可能把 nodeName 设为 {node}，从而绕过调度器。',
  refusePinnedFix: '从 {owner} 中移除 nodeName，让调度器选择合适的节点',
  refusePinnedEach: '每个替代的 Pod 又会到 {node}，以同样方式被拒绝，并留下一个失败的 Pod。',
  refuseDeviceEach: '再次放到 {node} 的替代 Pod 可能以同样方式被拒绝。',
  failedJobOver: '{job} 已用尽其尝试次数（backoffLimit {limit}，失败 {failed} 次）：不会再创建 Pod。',
  failedJobLeft:
    '{job} 会以递增的延迟再创建一个 Pod（{tries} 次尝试中已失败 {failed} 次）；它会以同样方式失败，最后一次之后 Job 即失败。',
  failedCronNext: '{owner} 在下个时间创建另一个 Job；它会以同样方式失败。',
  schedUntilTolerated:
    '它不会自行被调度：需要该容忍度，或一个没有污点 {taint} 且匹配其 nodeSelector 和节点亲和性的节点。',
  schedUntilSurge: '主机端口 {ports} 不会自行空闲：在此 Pod 就绪之前，滚动更新不会停止旧 Pod。旧 Pod 继续运行。',
  nodeReportsTitle: '节点 {node} 的 kubelet 报告其未就绪',
  nodeReports: '节点 {node} 的 kubelet 正在运行，并说明了未就绪的原因：{said}',
  nodeReportsOutlook: 'Pod 会等到节点就绪；随后它会自行启动或再次就绪。新的 Pod 会到其他节点。',
  nodeNetworkPods: '查看网络插件的 Pod 是否在 {node} 上运行，并查看其日志',
  nodeRuntime: '查看 {node} 上 kubelet 和运行时的日志',
  csiDriverLog: '如果它不存在或未就绪，查看其描述（容忍度、镜像）和日志',
  csiElsewhere: '或让新 Pod 避开 {node}；然后删除该 Pod，使其替代者得到其他节点',
  ipamdLog: '查看 {node} 上地址管理的日志',
  gateWebhook: '可能是变更性 Webhook 设置了该门控；查看存在哪些',
  probeStarved:
    '程序连续 {threshold} 次没有在 timeoutSeconds（{timeout} 秒）内应答 {kind} 探针，因为它得到的 CPU 时间太少：其日志说明了这一点。',
  refuseUnhealthy:
    '{node} 上的 kubelet 没有健康的 {resource} 可分配，因此拒绝了该 Pod：节点或 kubelet 重启后设备插件尚未重新注册，' +
    '或设备或其驱动发生故障。',
  refuseUnhealthyCordon: '在设备恢复之前，让新 Pod 避开 {node}',
  vaultAzure: '授予身份 {app} 在 {vault} 上的 Key Vault Secrets User 角色',
  deletingGraceLater: '对以后的 Pod，在 {owner} 中降低 terminationGracePeriodSeconds',
  runHeapSetting: '它由 {setting} 设置（{place}）。',
  runHeapRaise:
    '在 {owner} 中把堆从 {setting} 提高到 {lowered}，即内存限制 {limit} 的四分之三。如果仍被占满，用堆转储检查泄漏',
  runPermissionScc: 'OpenShift（安全上下文约束 {scc}）给该命名空间分配了这个用户，而镜像需要另一个用户。',
  runPermissionSccFix:
    '为任意用户构建镜像（对该路径执行 chgrp -R 0 和 chmod -R g=u，因为该用户属于组 0），或在 {owner} 中在那里挂载 emptyDir',
  runPermissionNginx:
    '在 {owner} 中使用镜像 nginxinc/nginx-unprivileged，它能以任意用户启动并监听 8080 端口（同时修改 containerPort 和 Serv' +
    'ice 的 targetPort），或在 /var/cache/nginx 和 /var/run 挂载 emptyDir 并监听 1024 以上的端口',
  nonRootNginx:
    '在 {owner} 中为 {container} 使用镜像 nginxinc/nginx-unprivileged：它以用户 101 运行并监听 8080 端口（同时修改 cont' +
    'ainerPort 和 Service 的 targetPort）',
  imgBitnami:
    '镜像仓库 {registry} 中不再有标签为 {version} 的 {repository}：Bitnami 在 2025 年把带版本的镜像移到了 {moved}，那里不再更新。',
  imgMoved: '镜像仓库 {registry} 中不再有 {version} 的 {repository}：该仓库已移到 {moved}。',
  imgMovedTags: '查看 {moved} 有哪些标签；长期来看，使用其他来源的受维护镜像更好',
  gateQuota: '查看集群队列的配额、使用者，以及队列是否已停止',
  probeKillAgainAfter: '之后大约在启动 {ran} 后再次被杀死，与上一个实例一样。',
  objectOfPod:
    '它的名称包含该 Pod 的名称，因此由某个 Operator 或 Webhook 为每个 Pod 创建：它尚未创建，或已随同名的旧 Pod 一起删除。',
  objectMaker: '找出创建它的 Operator，并查看其日志',
  objectAgain: '恢复正常后删除该 Pod：Operator 会为替换它的 Pod 再次创建该对象',
  failedJobRetry: '{owner} 会以递增的间隔再创建 Pod，直到 backoffLimit；新的 Pod 不一定失败。',
  startSandboxTitle: '{container} 在 {node} 上启动时，沙箱已不存在',
  startSandbox:
    '运行时启动容器时，Pod 沙箱的进程已经结束，因此没有可加入的命名空间。问题不在 Pod：节点过载、OOM killer 或运行时重启都会结束沙箱。它报告：{what}',
  attachNone:
    'PVC {claim} 的卷没有挂接到节点 {node}：它的 VolumeAttachment 不存在。通常是在之前的 Pod 之后被分离，尚未再次挂接。',
  attachAgain: '如果几分钟内没有出现挂接，请删除该 Pod：替换它的 Pod 会使控制器再次挂接',
  knownGone:
    '完成的 Job 会在 ttlSecondsAfterFinished 之后，或由 Helm hook 的下一次运行删除。等待它的程序此后会一直失败。',
  knownJobAgain: '像发布或流水线那样再次创建该 Job（它必须完成），或者保留完成的 Job',
  knownIcu: '.NET 运行时在 {image} 中找不到 ICU 库，因此立即结束。除非不使用区域文化和语言规则，否则它需要这些库。',
  knownIcuFix: '在镜像中安装 icu-libs（Alpine 上还需 icu-data-full），推送镜像，并在 {owner} 中设置',
  knownIcuOff: '如果程序不需要区域文化，让它不使用这些规则运行：在 {owner} 中设置 {variable}',
  exitOwn: '容器的命令中有 exit {code}：脚本自己以这个退出码结束。',
  exitOwnFix: '如果它不应失败，在 {owner} 中更改该命令',
  knownLeftTitle: '{container} 无法创建 {resource} {name}：它已经存在',
  knownLeft: '程序之前的一次运行创建了 {resource} {name} 并遗留下来。这次运行不接管它，因此退出。',
  knownLeftLook: '查看它属于谁，以及是否仍在工作',
  knownLeftDelete: '如果只是遗留物，删除它；程序随后会再次创建',
  probeKept:
    '服务器保留首次创建 PVC {claim} 上数据时的密码；之后更改的 Secret 不会影响它。把旧密码写入 Secret，或在服务器中更改密码。',
  probeScrape:
    'metrics-server 读到某个节点的指标后才就绪，而它一个也读不到。多数情况下，集群的 CA 没有签发 kubelet 的服务证书（x509），或者无法访问节点的 10250 端口。日志会说明是哪一种。',
  probeScrapeFix:
    '如果是 x509：让 kubelet 申请证书（serverTLSBootstrap）并批准，或仅在测试集群中向 {owner} 添加 --kubelet-insecure-tls',
  schedUntaint: '如果集群只有控制平面节点，允许 Pod 在其上运行',
  imgCanceledTitle: '拉取 {image} 被取消',
  imgCanceled:
    '镜像仓库有应答，因此名称和访问权限都正确，但在获取某一层时拉取被取消：长时间没有数据到达，运行时放弃了（到 {registry} 的路径慢或被阻断），或者运行时被重启。',
  imgCanceledFix: '如果路径只是慢，在 {node} 上调大 containerd 的 image_pull_progress_timeout',
  runReadOnlyOwn: '它更改属于镜像的文件：在 {parent} 挂载空卷会隐藏这些文件。',
  runReadOnlyOff: '在 {owner} 中允许 {container} 写入其根文件系统',
  runOwnerRoot: '在 {owner} 中仅让 {container} 以 root（runAsUser: 0）运行；如果 fsGroup 已经提供访问权限，则去掉它',
  objectIssued: '它是证书，因此很可能由 cert-manager 写入：cert-manager 未安装，或尚未签发。',
  objectIssuer: '如果由 cert-manager 签发，查看尚未签发的原因',
  saidHintTitle: '{container} 的使用方式与它所期望的不同',
  saidHint: '程序拒绝给它的内容，并说明应改用什么（{hint}）：“{line}”。',
  saidHintFix: '按程序所说，在 {owner} 的命令、参数或输入中使用 {hint}',
};
