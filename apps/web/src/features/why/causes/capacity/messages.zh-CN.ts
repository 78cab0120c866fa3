/** The Chinese texts about nodes that Karpenter can’t make, and groups of pods that aren’t complete. */
export const capacity = {
  schedGangFew: '组 {group} 的 Pod 只会一起调度：该组需要 {want} 个 Pod（minMember），现有 {have} 个。',
  schedGang: '它所属的组 {group} 的 Pod 只会一起调度，而该组尚不完整：{text}。',
  schedUntilGang: '当该组所需的 Pod 都存在并且都放得下时，它会与其他 Pod 一起被调度。',
  schedGangLook: '查看该组需要多少个 Pod 及其事件',
  schedGangPods: '查看该组中哪些 Pod 存在，其他的在等什么（配额、被拒绝、没有空间）',
  schedGangFix: '在 {owner} 中使副本数与该组的最小值一致',
  karpenterSize:
    'Karpenter 无法为它创建节点：NodePool {pool} 没有实例类型能提供该 Pod 和节点守护进程所需的资源（{asked}）。',
  karpenterSizeOf:
    'Karpenter 无法为它创建节点：NodePool {pool} 没有实例类型既能提供该 Pod 和节点守护进程所需的资源（{asked}），又符合 Pod 自己的要求 {own}。',
  karpenterLimit: 'Karpenter 无法为它创建节点：NodePool {pool} 已达到其上限（spec.limits）。',
  karpenterLabels:
    'Karpenter 无法为它创建节点：NodePool {pool} 不提供带有 nodeSelector 或节点亲和性所要求标签的节点：{text}。',
  karpenterTaint: 'Karpenter 无法为它创建节点：该 Pod 不容忍任何 NodePool（{pools}）的污点：{text}。',
  karpenterOther: 'Karpenter 无法在 NodePool {pool} 中为它创建节点：{text}。',
  karpenterUntil: 'Karpenter 会重试，在该 Pod 或 NodePool 改变之前都会同样失败；之后它会创建节点。',
  karpenterLook: '查看 NodePool 允许什么（要求、上限、污点）',
  karpenterRaise: '提高 NodePool 的 spec.limits',
  karpenterLess: '或降低请求，或在 NodePool {pool} 中允许更大的实例类型；请求在 {owner} 中',
  karpenterRelaxOrLess: '在 {owner} 中去掉或放宽 {own}（nodeSelector、节点亲和性），或降低请求',
  karpenterRelax: '在 {owner} 中把 nodeSelector 或节点亲和性改为某个 NodePool 所提供的标签',
  karpenterTolerate: '如果该 Pod 可以在这样的节点上运行，在 {owner} 中添加容忍',
  schedTaintUnnamed: '{nodes} 个节点有该 Pod 不容忍的污点；调度器的消息没有说明是哪些污点。',
  schedTaintUnnamedOne: '一个节点有该 Pod 不容忍的污点；调度器的消息没有说明是哪个污点。',
  schedTaintUnnamedControl: '它们很可能是控制平面的节点，不供普通 Pod 使用：那里无需任何改动。',
  schedTaintUnnamedControlOne: '它很可能是控制平面的节点，不供普通 Pod 使用：那里无需任何改动。',
  schedTaintUnnamedSelected: '它们可能正是该 Pod 所要求的节点（{wanted}）。',
  schedTaintUnnamedSelectedOne: '它可能正是该 Pod 所要求的节点（{wanted}）。',
  schedUntilUnnamed: '当没有此类污点的节点有空间时，它会被调度。',
  schedUntilUnnamedSelected:
    '它不会自行被调度：它需要容忍度，或一个没有此类污点且符合其 nodeSelector 和节点亲和性的节点。',
  schedTolerateUnnamed:
    '如果该 Pod 应该运行在这样的节点上，请给 {owner} 添加对其污点的容忍度；否则提供没有该污点的节点',
  schedStartupTaint: '{nodes} 个节点仍有启动时的污点 {taint}：{agent} 会在节点设置好后移除它，而目前尚未移除。',
  schedStartupTaintOne: '一个节点仍有启动时的污点 {taint}：{agent} 会在节点设置好后移除它，而目前尚未移除。',
  schedUntilStarted: '当 {agent} 从有空间的节点上移除该污点时，它会被调度。',
  schedStarterLook: '查看 {agent} 是否在运行并阅读其日志；它会自己移除该污点',
  schedStarterNodes: '查看哪些节点仍有该污点',
  schedHugePagesAre: '大页在节点上预留，最好在启动时预留；kubelet 只计算它启动之前已预留的大页。',
  schedHugePages: '查看节点预留了多少 {resource}',
  schedHugePagesFix:
    '在节点上预留更多（内核参数 hugepagesz 和 hugepages）并重启其 kubelet，或在 {owner} 中请求更少的 {resource}',
};
