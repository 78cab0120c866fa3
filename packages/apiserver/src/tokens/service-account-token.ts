/**
 * Issues service account tokens: JSON Web Tokens with account, audience, expiry and bound pod. This server doesn't
 * accept the tokens for authentication. Upstream: TokenREST (pkg/registry/core/serviceaccount/storage),
 * serviceaccount.Claims (v1.36).
 */
import { encodeBase64, type FieldError } from '@podscope/k8s';
import { addMilliseconds, type Clock, type Instant } from '@podscope/trace';
import { conflict, invalid, notFound } from '../api-errors.ts';
import { newUid, type Random } from '../random.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * The issuer of tokens, and the audience of tokens that request no audience. Upstream: the defaults of
 * --service-account-issuer, --api-audiences.
 */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';

/** The requested properties of a token. Upstream: authentication/v1 TokenRequestSpec. */
export interface TokenRequest {
  /** Audiences of the token. If empty, the audience is the API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The pod that the token is bound to: the token is valid only as long as this pod exists. */
  readonly boundPod?: { readonly name: string; readonly uid: string };
}

/** An issued token. Upstream: authentication/v1 TokenRequestStatus. */
export interface ServiceAccountToken {
  readonly token: string;
  readonly expires: Instant;
}

/** Signs tokens. */
export interface TokenSigner {
  /** The token header: algorithm and key id. */
  readonly header: Readonly<Record<string, string>>;
  /** The public keys as JSON Web Keys. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  sign(text: string): Uint8Array;
}

/** Leaves tokens unsigned (RFC 7519, section 6). Virtual nodes use it so that equal runs have equal tokens. */
const unsecured: TokenSigner = { header: { alg: 'none' }, keys: [], sign: () => new Uint8Array() };

export interface TokenIssuerOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  /** Signs the tokens. Default: tokens are not signed. */
  readonly signer?: TokenSigner | undefined;
}

const minSeconds = 600;
const maxSeconds = 2 ** 32;

const base64url = (content: string | Uint8Array): string =>
  encodeBase64(content).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const seconds = (at: Instant): number => Math.floor(at / 1000);

/** Returns an error for an expiration time outside the allowed range. Upstream: ValidateTokenRequest. */
function expirationErrors(value: number): readonly FieldError[] {
  const at = { type: 'Invalid', field: 'spec.expirationSeconds', value } as const;
  if (value < minSeconds) return [{ ...at, detail: 'may not specify a duration less than 10 minutes' }];
  return value > maxSeconds ? [{ ...at, detail: 'may not specify a duration larger than 2^32 seconds' }] : [];
}

/** Issues tokens. */
export class TokenIssuer {
  readonly #options: TokenIssuerOptions;
  readonly #signer: TokenSigner;

  constructor(options: TokenIssuerOptions) {
    this.#options = options;
    this.#signer = options.signer ?? unsecured;
  }

  /** The public keys that verify the tokens. */
  get keys(): TokenSigner['keys'] {
    return this.#signer.keys;
  }

  /** Issues a token. @throws ApiError NotFound, Conflict or Invalid */
  issue(
    namespace: string,
    name: string,
    { audiences, expirationSeconds, boundPod }: TokenRequest,
  ): ServiceAccountToken {
    const { storage, clock, random, nodeName } = this.#options;
    const account = storage.get('ServiceAccount', namespace, name);
    if (!account) throw notFound('serviceaccounts', name);
    const errors = expirationErrors(expirationSeconds);
    if (errors.length > 0) throw invalid('TokenRequest.authentication.k8s.io', name, errors);
    const pod = boundPod && this.#boundPod(namespace, name, boundPod);
    const node = storage.get('Node', undefined, nodeName);
    const now = clock.now();
    const expires = addMilliseconds(now, expirationSeconds * 1000);
    const claims = {
      aud: audiences.length > 0 ? audiences : [tokenIssuer],
      exp: seconds(expires),
      iat: seconds(now),
      iss: tokenIssuer,
      jti: newUid(random),
      'kubernetes.io': {
        namespace,
        ...(pod && node ? { node: { name: nodeName, uid: node.metadata.uid } } : {}),
        ...(pod ? { pod } : {}),
        serviceaccount: { name, uid: account.metadata.uid },
      },
      nbf: seconds(now),
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const text = [this.#signer.header, claims].map((part) => base64url(JSON.stringify(part))).join('.');
    return { token: `${text}.${base64url(this.#signer.sign(text))}`, expires };
  }

  /** Checks that the bound pod exists, has this uid and uses this account. */
  #boundPod(
    namespace: string,
    account: string,
    { name, uid }: NonNullable<TokenRequest['boundPod']>,
  ): { readonly name: string; readonly uid: string } {
    const pod = this.#options.storage.get('Pod', namespace, name);
    if (!pod) throw notFound('pods', name);
    if (uid && uid !== pod.metadata.uid) {
      const message =
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have ` +
        'been deleted and then recreated';
      throw conflict('pods', name, message);
    }
    if ((pod.spec.serviceAccountName || 'default') !== account) {
      const detail =
        `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different ` +
        'serviceaccount name.';
      throw invalid('TokenRequest.authentication.k8s.io', account, [
        { type: 'Invalid', field: 'spec.boundObjectRef.name', value: name, detail },
      ]);
    }
    return { name, uid: pod.metadata.uid };
  }
}
