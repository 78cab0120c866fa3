var e=`---

id: debugging-a-pod
title: 一步一步调试失败的 Pod
summary: 先看哪里，每个地方能说明什么。
minutes: 9
language: zh-CN
---

## 走到了哪一步？ {#how-far}

第一个问题：它走到了哪一步？卷、沙箱、镜像、配置、启动：按这个顺序进行，卡住的 Pod 就卡在其中一步。这个 Pod 显示 **ContainerCreating**。

? 运行时已经被要求做什么了吗？

- [ ] 是的，至少要求了沙箱
- [ ] 没有，它卡在那之前

ContainerCreating 只说明：还没有容器。这里连沙箱也没有，所以一定是更早的问题。事件说明了是什么：一个卷无法挂载。

## 看事件 {#events}

这个 Pod 走得更远：沙箱和镜像都有了。两个容器中一个在运行，另一个没有。

? 事件是怎么说的？

- [ ] 找不到 ConfigMap 中的一个键
- [ ] 它在退避中

**CreateContainerConfigError** 是等待的原因，事件里有完整的句子。什么都没有创建，也就没有崩溃：重启次数保持为 0，日志里也没有内容。

## 看日志 {#log}

这里容器会启动，很快就进入崩溃循环。现在该看的是日志：看*已结束*的那个容器的日志，也就是 \`kubectl logs --previous\`。

? kubelet 能说出它为什么结束吗？

- [ ] 它能说出容器在几秒内两次以退出码 2 结束
- [ ] 连这个也说不出

它只有退出码，别无其他。terminationMessagePolicy 设为 FallbackToLogsOnError 时，日志的最后几行会进入状态：最好在需要之前就设置好。

## 进去看看 {#inside}

日志不够的时候：\`kubectl debug\` 会在运行中的 Pod 里加入一个带工具的容器，处于同一个网络，需要时也能看到同样的进程。

? 这会打扰正在运行的容器吗？

- [ ] 不会，它在旁边启动
- [ ] 会，Pod 会被重建

临时容器在 SyncPod 中有自己的步骤，在 init 容器之前：即使 Pod 卡在那里也能加入。

## 问为什么 {#why}

最后一个问题：它为什么这样做？一个运行良好的容器马上就要被停止了。

? 有记录原因吗？

- [ ] 有：决定，以及它看到的值
- [ ] 没有

每一条被权衡的规则都连同它的事实留在记录里。这里 spec 中容器的哈希与创建时的不同：有人修改了它的镜像。
`;export{e as default};
//# sourceMappingURL=debugging-a-pod-C2ONhwXd.js.map