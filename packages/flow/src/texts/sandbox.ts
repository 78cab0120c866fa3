/** Contains the texts of the steps of RunPodSandbox in both runtimes, and of the engine probes. */
import type { IDOf } from '../level.ts';
import type { engineProbes, runPodSandboxSteps, simulatedRunPodSandboxSteps } from '../levels/sandbox.ts';
import { type Texts, titled } from './text.ts';

type SandboxID = IDOf<typeof runPodSandboxSteps> | IDOf<typeof simulatedRunPodSandboxSteps> | IDOf<typeof engineProbes>;

const ensureSandboxImage = titled(
  ['Ensure the sandbox image', 'Looks for the pause image and pulls it if it is absent.'],
  ['确保沙箱镜像存在', '查找 pause 镜像，不存在时拉取。'],
);
const createSandboxContainer = titled(
  ['Create the sandbox container', "Creates the container that holds the pod's namespaces."],
  ['创建沙箱容器', '创建持有 Pod 的命名空间的容器。'],
);
const createSandboxCheckpoint = titled(
  ['Write the checkpoint', 'Saves the name, ports and network mode to disk in case the container is lost.'],
  ['写入检查点', '把名称、端口和网络模式保存到磁盘，以防容器丢失。'],
);
const startSandboxContainer = titled(
  ['Start the sandbox container', "Starts the pause process and writes the sandbox's resolv.conf."],
  ['启动沙箱容器', '启动 pause 进程，并写入沙箱的 resolv.conf。'],
);
const setUpSandboxNetwork = titled(
  ['Set up networking', 'Lets the network plugin connect the pod; not needed on the host network.'],
  ['设置网络', '让网络插件连接 Pod；使用主机网络时不需要。'],
);

export const sandboxTexts: Texts<SandboxID> = {
  'dockershim.ensureSandboxImage': ensureSandboxImage,
  'dockershim.createSandboxContainer': createSandboxContainer,
  'dockershim.createSandboxCheckpoint': createSandboxCheckpoint,
  'dockershim.startSandboxContainer': startSandboxContainer,
  'dockershim.setUpSandboxNetwork': setUpSandboxNetwork,
  'simulator.ensureSandboxImage': ensureSandboxImage,
  'simulator.createSandboxContainer': createSandboxContainer,
  'simulator.createSandboxCheckpoint': createSandboxCheckpoint,
  'simulator.startSandboxContainer': startSandboxContainer,
  'simulator.setUpSandboxNetwork': setUpSandboxNetwork,
  'dockershim.probeOomScore': titled(
    [
      'Probe the engine for negative OOM scores',
      'Starts a temporary container to find out whether this engine can protect processes from the OOM killer.',
    ],
    ['探测引擎是否支持负的 OOM 分数', '启动一个临时容器，了解该引擎能否保护进程不被 OOM killer 杀死。'],
  ),
  'dockershim.probeCapabilities': titled(
    [
      'Probe the engine for its capabilities',
      'Starts temporary containers to find out what "all capabilities" means on this engine.',
    ],
    ['探测引擎的权能', '启动临时容器，了解“全部权能”在该引擎上的含义。'],
  ),
};
