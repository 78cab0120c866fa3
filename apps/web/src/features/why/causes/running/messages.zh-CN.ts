/** Contains the Chinese texts of diagnoses of containers that run although something in them fails. */
export const running = {
  workersTitle: '{container} 中的进程被杀死，而容器继续运行',
  workers:
    '{container} 的日志报告了 {count} 个被杀死的进程（SIGKILL）。其主进程存活并启动新进程，因此容器不会重启，其状态也看不出任何问题。',
  workersLimit: '很可能这些进程合计达到了内存限制 {limit}，内核每次杀死其中一个。',
  workersLimitCount: '很可能 {workers} 个进程（{place}）合计达到了内存限制 {limit}，内核每次杀死其中一个。',
  workersNode: '{container} 没有内存限制，因此很可能是节点 {node} 内存耗尽。',
  workersProbe: '其 {kind} 探针在最近一小时内失败了 {failures} 次：被杀死的进程不响应任何请求。',
  workersOutlook: '这会继续下去：每次杀死都会中断该进程的请求或任务。容器不会重启，也没有回退。',
  workersFewer: '或者在 {owner} 中减少共用该限制的进程数（{place}）',
  workersFewerAny: '或者在 {owner} 中减少同时运行的进程数',
  probeFlaps: '{container} 此刻就绪，但其 {kind} 探针在 {first} 到 {last} 之间失败了 {failures} 次。',
  probeFlapsOutlook: '它会继续时好时坏；未就绪期间不接收流量。',
  initSince: 'Init 容器 {container} 自 {time} 起一直在运行，没有结束。',
  initRunsSaid: 'Init 容器 {container} 自 {time} 起一直在运行。它最后报告的是：“{line}”。',
  initRunsLogOutlook: '在该问题解决之前 {container} 会一直运行，没有时限。其他容器在它之后才启动。',
  runDeniedVault:
    '查看 Vault 的 {mount} 登录是否有角色 {role}，且其中包含服务账号 {account}（bound_service_account_names）和命名空间 {namespace}；如果没有，用 vault write 添加',
  imgTokenTitle: '{registry} 不接受 {secret} 中的凭据',
  imgToken:
    '{registry} 拒绝使用拉取 Secret {secret} 中的凭据访问 {repository}。{cloud} 的凭据只在 {hours} 小时内有效，因此 {secret} 中的凭据很可能已过期。',
  imgTokenExpired: '{registry} 拒绝拉取 Secret {secret} 中的凭据，因为它们已过期：{cloud} 的凭据有效期为 {hours} 小时。',
  imgTokenElse: '如果凭据是新的：其身份缺少拉取权限（{right}），或者该仓库不在这个镜像仓库中。',
  imgTokenNone:
    '拉取 Secret {secret} 不含 {registry} 的凭据（镜像仓库没有收到凭据）。{cloud} 的凭据有效期为 {hours} 小时。',
  imgTokenOutside: '节点 {node} 不是 {cloud} 的机器，因此不会自动获得凭据；拉取 Secret 中的凭据只在 {hours} 小时内有效。',
  imgTokenRenew: '在 {secret} 中放入新的令牌',
  imgTokenAlways:
    '为避免再次过期：让节点自行获取令牌（凭据提供程序、带有 {right} 的节点角色），或用 CronJob 定期更新 {secret}。查看 {node} 上 kubelet 的用法',
  mountHelperPackage:
    '节点 {node} 缺少挂载文件系统 {type} 的程序：软件包 {package} 的 mount.{type}。该节点很可能是新的，或其镜像制作时没有包含它。',
  mountHelperModule: '节点 {node} 的内核不认识文件系统 {type}：软件包 {package} 包含它。',
  mountHelperAdd: '在 {node} 上安装 {package}，并把它加入节点的镜像或配置流程',
  mountHelperElse: '在此之前，让使用该卷的 Pod 避开 {node}',
  mountHelperMove: '然后删除该 Pod，使其替代者去往其他节点',
  hookSaid: '钩子的输出：“{output}”。',
  hookAfter: '它在 {ran} 后失败。',
  hookSilent: '其输出不在容器的日志中：只有 kubelet 会记录。',
  hookOutput: '在 {node} 上 kubelet 的日志中查看钩子的输出',
  hookCorrect: '在 {owner} 中更正 {container} 的 postStart 钩子的命令，或让它以 || true 结尾',
} as const;
