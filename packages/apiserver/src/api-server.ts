/**
 * Implements the API server of one node, without HTTP: storage, registry with admission, tokens, events, and the
 * controllers a single node needs. Upstream: kube-apiserver, and parts of kube-controller-manager (v1.36).
 */
import type { Pod, PodResizeGates } from '@podscope/k8s';
import type { Clock, Milliseconds, Timer } from '@podscope/trace';
import { blockVolumeErrors } from './admission/block-volumes.ts';
import { admitPodResize } from './admission/pod-resize.ts';
import {
  findPolicyViolations,
  formatPolicyViolations,
  type PodPolicyOptions,
} from './admission/pod-security/policy.ts';
import { admitRuntimeClass } from './admission/runtime-class.ts';
import { forbidden, invalid } from './api-errors.ts';
import { createDefaultObjects } from './controllers/default-objects.ts';
import { collectGarbage } from './controllers/garbage-collector.ts';
import { finishNamespaces } from './controllers/namespace-controller.ts';
import { keepDefaultServiceAccounts } from './controllers/service-accounts.ts';
import { StorageEventRecorder } from './events/event-recorder.ts';
import { newUid, noChance, type Random } from './random.ts';
import { Registry, type RegistryOptions } from './registry/registry.ts';
import { Strategies } from './registry/strategies.ts';
import { type ObjectPersistence, PersistenceQueue } from './storage/persistence.ts';
import { Storage } from './storage/storage.ts';
import { TokenIssuer, type TokenSigner } from './tokens/service-account-token.ts';

/** Interval between two removals of expired events. */
const pruneInterval: Milliseconds = 60_000;

export interface ApiServerOptions {
  readonly clock: Clock;
  /**
   * The clock that measures the delays between attempts to write an object to disk. It must be a real clock even if
   * `clock` is virtual. Default: `clock`.
   */
  readonly pacing?: Clock | undefined;
  readonly random: Random;
  /** Randomness for token ids. Default: `random`. */
  readonly jitter?: Random | undefined;
  /** Name of the only node: pods are bound to it when they are created. */
  readonly nodeName: string;
  readonly policy: PodPolicyOptions;
  /** The feature gate PodLevelResources. Default: on. */
  readonly podLevelResources?: boolean | undefined;
  /** The feature gates of resizes. Default: on. */
  readonly resizeGates?: PodResizeGates | undefined;
  /** Saves objects across restarts of the process. Default: objects are kept only in memory. */
  readonly persistence?: ObjectPersistence | undefined;
  /** Signs service account tokens. Default: tokens are not signed. */
  readonly tokenSigner?: TokenSigner | undefined;
  /** Called with the error when objects can no longer be written, and with undefined when they can be again. */
  readonly onPersistence: (error: unknown) => void;
}

/** Holds the objects of the API and the controllers that act on them. */
export class ApiServer {
  readonly storage: Storage;
  readonly registry: Registry;
  /**
   * The registry for dry runs. It draws no random numbers from the run, so a dry run doesn't change the rest of the
   * run.
   */
  readonly dryRunRegistry: Registry;
  readonly tokens: TokenIssuer;
  readonly events: StorageEventRecorder;
  readonly #options: ApiServerOptions;
  #pruning: Timer | undefined;

  constructor(options: ApiServerOptions) {
    const { clock, random, nodeName, policy } = options;
    this.#options = options;
    const retry = { clock: options.pacing ?? clock, report: options.onPersistence };
    const storage = new Storage(new PersistenceQueue(options.persistence, retry));
    this.storage = storage;
    const registry: RegistryOptions = {
      storage,
      clock,
      random,
      strategies: new Strategies({
        nodeName,
        clock,
        serviceAccount: (namespace, name) => storage.get('ServiceAccount', namespace, name),
        podLevelResources: options.podLevelResources,
        resizeGates: options.resizeGates,
        runtimeClass: (name) => storage.get('RuntimeClass', undefined, name),
      }),
      admit: (kind, object, update) => {
        if (kind !== 'Pod') return;
        if (update?.subresource === 'resize')
          admitPodResize(object as Pod, update.current as Pod, (name) => storage.get('Node', undefined, name));
        admitPod(object as Pod, policy);
        admitRuntimeClass(object as Pod, (name) => storage.get('RuntimeClass', undefined, name));
      },
    };
    this.registry = new Registry(registry);
    this.dryRunRegistry = new Registry({ ...registry, random: noChance });
    this.events = new StorageEventRecorder({ clock, storage, nodeName, newUid: () => newUid(random) });
    this.tokens = new TokenIssuer({
      storage,
      clock,
      random: options.jitter ?? random,
      nodeName,
      signer: options.tokenSigner,
    });
  }

  /** Creates the missing namespaces that every cluster has, and the `kubernetes` Service. */
  createDefaultObjects(): void {
    createDefaultObjects({ storage: this.storage, clock: this.#options.clock, random: this.#options.random });
  }

  /**
   * Starts the controllers of service accounts, garbage collection and namespaces, and the periodic removal of expired
   * events.
   */
  startControllers(): void {
    const { storage, registry } = this;
    const { clock, random } = this.#options;
    keepDefaultServiceAccounts({ storage, clock, random });
    collectGarbage({ storage, registry, clock });
    finishNamespaces({ storage, registry, clock });
    this.#schedulePruning();
  }

  /** Stops the removal of expired events. The controllers act only on changes, so they need no stop. */
  stop(): void {
    this.#pruning?.cancel();
  }

  #schedulePruning(): void {
    this.#pruning = this.#options.clock.schedule(pruneInterval, () => {
      this.events.prune();
      this.#schedulePruning();
    });
  }
}

/**
 * Checks a pod that is about to be stored.
 * @throws ApiError Invalid for volumes the node can't provide, Forbidden for violations of the pod security policy
 */
function admitPod(pod: Pod, policy: PodPolicyOptions): void {
  const errors = blockVolumeErrors(pod);
  if (errors.length > 0) throw invalid('Pod', pod.metadata.name, errors);
  const violations = findPolicyViolations(pod, policy);
  if (violations.length > 0) throw forbidden('pods', pod.metadata.name, formatPolicyViolations(violations));
}
