/**
 * Records which images were pulled with which credentials, so that a pod can't use an image that only another pod may
 * pull. Upstream: pkg/kubelet/images/pullmanager (v1.36). Records are kept in memory only: after a restart, all present
 * images count as preloaded.
 */
import { parseImageReference } from '@podscope/base';
import type { Credential, CredentialSource } from './credentials.ts';

export type PullVerificationPolicy = 'NeverVerify' | 'NeverVerifyPreloadedImages' | 'AlwaysVerify';

interface Access {
  /** True if the image was pulled without a pod's credentials, so that every pod may use it. */
  nodePodsAccessible: boolean;
  readonly secrets: (CredentialSource & { readonly hash: string })[];
}

const hashOf = ({ username, password }: Credential): string => JSON.stringify([username, password]);

/** Returns the image name without tag and digest. Upstream: trimImageTagDigest. */
const repositoryOf = (image: string): string => parseImageReference(image).name;

export class ImagePullRecords {
  readonly #policy: PullVerificationPolicy;
  /** The number of pulls in progress, by image. */
  readonly #intents = new Map<string, number>();
  /** Which pods may use each pulled image, by image reference and then by repository. */
  readonly #pulled = new Map<string, Map<string, Access>>();

  constructor(policy: PullVerificationPolicy = 'NeverVerifyPreloadedImages') {
    this.#policy = policy;
  }

  /** Records the start of a pull. Upstream: RecordPullIntent. */
  intend(image: string): void {
    this.#intents.set(image, (this.#intents.get(image) ?? 0) + 1);
  }

  /** Records a failed pull. Upstream: RecordImagePullFailed. */
  failed(image: string): void {
    this.#forgetIntent(image);
  }

  /**
   * Records a successful pull. Upstream: RecordImagePulled.
   * @param credential the pod's credential; undefined if the pull needed none
   */
  pulled(image: string, imageRef: string, credential: Credential | undefined): void {
    this.#record(image, imageRef, credential);
    this.#forgetIntent(image);
  }

  /**
   * Returns true if a present image must be pulled again, to verify that this pod may use it. Upstream:
   * MustAttemptImagePull.
   * @param credentials returns the pod's credentials; called only if the records require one
   * @throws Error of `credentials`
   */
  mustAttemptPull(image: string, imageRef: string, credentials: () => readonly Credential[]): boolean {
    const record = this.#pulled.get(imageRef);
    const pulledByKubelet = record !== undefined || (this.#intents.get(image) ?? 0) > 0;
    if (!this.#requiresVerification(pulledByKubelet)) return false;
    const access = record?.get(repositoryOf(image));
    if (!access) return true;
    if (access.nodePodsAccessible) return false;
    if (access.secrets.length === 0) return true;
    return !credentials().some((credential) => this.#isKnown(access, image, imageRef, credential));
  }

  #requiresVerification(pulledByKubelet: boolean): boolean {
    return this.#policy === 'AlwaysVerify' || (this.#policy === 'NeverVerifyPreloadedImages' && pulledByKubelet);
  }

  #isKnown(access: Access, image: string, imageRef: string, credential: Credential): boolean {
    const hash = hashOf(credential);
    const { uid, namespace, name } = credential.source;
    const known = access.secrets.some(
      (secret) =>
        secret.hash === hash || (secret.uid === uid && secret.namespace === namespace && secret.name === name),
    );
    if (known) this.#record(image, imageRef, credential);
    return known;
  }

  #record(image: string, imageRef: string, credential: Credential | undefined): void {
    const record = this.#pulled.get(imageRef) ?? new Map<string, Access>();
    this.#pulled.set(imageRef, record);
    const repository = repositoryOf(image);
    const access = record.get(repository) ?? { nodePodsAccessible: false, secrets: [] };
    record.set(repository, access);
    if (!credential) {
      access.nodePodsAccessible = true;
      return;
    }
    const { source } = credential;
    const same = access.secrets.findIndex(
      ({ uid, namespace, name }) => uid === source.uid && namespace === source.namespace && name === source.name,
    );
    access.secrets.splice(same < 0 ? access.secrets.length : same, 1, { ...source, hash: hashOf(credential) });
  }

  #forgetIntent(image: string): void {
    const count = (this.#intents.get(image) ?? 1) - 1;
    if (count > 0) this.#intents.set(image, count);
    else this.#intents.delete(image);
  }
}
