/** Handles HTTP upgrades. Applies the same access checks to the page's stream and to the streams of pods. */
import { unauthorized } from '@podscope/apiserver';
import { type PodStreams, parseStreamPath } from '../kubernetes-api/pods/pod-streams.ts';
import type { AccessControl } from '../security/access.ts';
import type { UpgradeListener } from './dual-server.ts';
import { requestUrl } from './request-url.ts';
import { refuse, type Stream } from './stream.ts';

export interface UpgradeOptions {
  readonly access: AccessControl;
  readonly stream: Stream;
  readonly podStreams: PodStreams;
}

/** Routes upgrades to their handlers. */
export const createUpgradeListener =
  ({ access, stream, podStreams }: UpgradeOptions): UpgradeListener =>
  (request, socket, head) => {
    const target = parseStreamPath(requestUrl(request).pathname);
    if (!target) {
      stream.onUpgrade(request, socket, head);
      return;
    }
    const refusal = access.checkOrigin(request) ?? access.checkToken(request);
    if (refusal)
      refuse(
        socket,
        refusal.status === 401
          ? { status: 401, message: JSON.stringify(unauthorized().status), type: 'application/json' }
          : refusal,
      );
    else void podStreams.serve({ request, socket, head }, target);
  };
