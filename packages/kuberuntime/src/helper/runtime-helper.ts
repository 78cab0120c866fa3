/**
 * Prepares the options, mounts and variables with which the runtime manager starts containers, from facts about the
 * node and API objects. Upstream: Kubelet as RuntimeHelper (v1.36).
 */
import { errorText } from '@podscope/base';
import type { Container, Pod, ResourceList } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { EventRecorder, OSInterface, PodDNS, RunContainerOptions, RuntimeHelper } from '../runtime.ts';
import { secureJoin } from '../util/secure-join.ts';
import { getPodCgroupParent } from './cgroup-parent.ts';
import { getPodDNS } from './dns.ts';
import { type EnvironmentSources, type FindVolumeFile, makeEnvironmentVariables } from './environment.ts';
import { type HelperProfile, helperProfileV136 } from './helper-profile.ts';
import { generatePodHostNameAndDomain, getNodenameForKernel, type PodHostname } from './hostname.ts';
import { checkBlockDevices, type ImageVolumes, type MountedVolume, makeMounts } from './mounts.ts';

/** Facts about the node that the preparations depend on. */
export interface RuntimeHelperNode {
  readonly ips: readonly string[];
  /** The kubelet's root directory, for example `/var/lib/kubelet`. */
  readonly rootDir: string;
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** Returns the content of the resolver file. Absent if the node is configured without such a file. */
  readonly readResolvConf?: () => Promise<string>;
  /** Returns the content of the node's /etc/hosts. */
  readonly readHostsFile: () => Promise<string>;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  readonly cgroupsPerQOS: boolean;
  /** The resources that pods may use. They are the default limit of containers that declare none. */
  readonly allocatable: ResourceList;
}

export interface RuntimeHelperDependencies {
  readonly node: RuntimeHelperNode;
  readonly os: OSInterface;
  readonly recorder: EventRecorder;
  readonly sources: EnvironmentSources;
  /** Returns the volumes of a pod that have been set up, by name. */
  readonly mountedVolumes: (pod: Pod) => ReadonlyMap<string, MountedVolume>;
  readonly isPodTerminationRequested: (uid: string) => boolean;
  readonly onPodSandboxReady: (ctx: Context, pod: Pod) => Promise<void>;
  /** Whether the pod's runtime handler supports recursively read-only mounts. Default: no handler does. */
  readonly supportsRecursiveReadOnly?: (pod: Pod) => boolean;
  /** The feature gate PodLevelResources. Default: on. */
  readonly podLevelResources?: boolean;
  /** The profile of the release. Default: v1.36. */
  readonly profile?: HelperProfile;
}

/** Implements {@link RuntimeHelper} for a node. */
export class NodeRuntimeHelper implements RuntimeHelper {
  readonly #deps: RuntimeHelperDependencies;
  readonly #profile: HelperProfile;

  constructor(deps: RuntimeHelperDependencies) {
    this.#deps = deps;
    this.#profile = deps.profile ?? helperProfileV136;
  }

  /** Returns the options for one container. Upstream: GenerateRunContainerOptions. */
  async generateRunContainerOptions(
    ctx: Context,
    pod: Pod,
    container: Container,
    _podIP: string,
    podIPs: readonly string[],
    imageVolumes: ImageVolumes,
  ): Promise<{ readonly options: RunContainerOptions }> {
    const { node, os, recorder, sources } = this.#deps;
    const name = this.generatePodHostNameAndDomain(pod);
    const hostname = getNodenameForKernel(name, pod.spec.setHostnameAsFQDN);
    checkBlockDevices(container);
    const volumes = this.#deps.mountedVolumes(pod);
    const warn = (message: string): void => ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    const volumeFile: FindVolumeFile = async (volume, path) => {
      const hostPath = volumes.get(volume)?.hostPath;
      if (!hostPath) return undefined;
      const file = await secureJoin(os, hostPath, path);
      const read = async (): Promise<string | undefined> => {
        const content = await os.readFile(file);
        return content && new TextDecoder().decode(content);
      };
      return { path: file, read };
    };
    const profile = this.#profile.environment;
    const envs = await makeEnvironmentVariables(ctx, {
      pod,
      container,
      podIPs,
      node,
      sources,
      recorder,
      profile,
      volumeFile,
      warn,
    });
    const podDir = this.getPodDir(pod.metadata.uid);
    const mounts = await makeMounts({
      pod,
      container,
      podDir,
      name,
      podIPs,
      volumes,
      imageVolumes,
      envs,
      os,
      readHostsFile: node.readHostsFile,
      hostsFileForHostNetwork: this.#profile.hostsFileForHostNetwork,
      supportsRecursiveReadOnly: this.#profile.recursiveReadOnly
        ? (this.#deps.supportsRecursiveReadOnly?.(pod) ?? false)
        : undefined,
      warn,
    });
    const podContainerDir = container.terminationMessagePath
      ? await this.#makeContainerDir(ctx, podDir, container.name)
      : '';
    return { options: { envs, mounts, devices: [], cdiDevices: [], annotations: [], podContainerDir, hostname } };
  }

  /**
   * Creates the directory of the termination message file. Returns an empty string if that fails; the container then
   * runs without the file.
   */
  async #makeContainerDir(ctx: Context, podDir: string, container: string): Promise<string> {
    const path = `${podDir}/containers/${container}`;
    try {
      await this.#deps.os.mkdirAll(path, 0o750);
      return path;
    } catch (error) {
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `directory of container ${container}: ${errorText(error)}`,
      });
      return '';
    }
  }

  getPodDNS(ctx: Context, pod: Pod): Promise<PodDNS> {
    return getPodDNS(ctx, this.#deps.node, this.#deps.recorder, pod, this.#profile.dns);
  }

  getPodCgroupParent(pod: Pod): string {
    const { node, podLevelResources } = this.#deps;
    return getPodCgroupParent(pod, { ...node, podLevelResources });
  }

  getPodDir(uid: string): string {
    return `${this.#deps.node.rootDir}/pods/${uid}`;
  }

  generatePodHostNameAndDomain(pod: Pod): PodHostname {
    return generatePodHostNameAndDomain(pod, this.#deps.node.clusterDomain, this.#profile.hostnameOverride);
  }

  /** Returns no groups, because no supported volume type adds any. */
  getExtraSupplementalGroupsForPod(): readonly number[] {
    return [];
  }

  isPodTerminationRequested(uid: string): boolean {
    return this.#deps.isPodTerminationRequested(uid);
  }

  onPodSandboxReady(ctx: Context, pod: Pod): Promise<void> {
    return this.#deps.onPodSandboxReady(ctx, pod);
  }
}
