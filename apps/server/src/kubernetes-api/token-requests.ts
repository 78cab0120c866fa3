/** Serves `serviceaccounts/NAME/token` for `kubectl create token`, and the public keys that verify the tokens. */
import { badRequest, tokenIssuer } from '@podscope/apiserver';
import type { NodeHost } from '@podscope/node';
import { formatTime } from '@podscope/trace';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { structuredBody } from './requests/body.ts';

const requestSchema = z.object({
  kind: z.literal('TokenRequest').nullish(),
  spec: z
    .object({
      audiences: z.array(z.string()).nullish(),
      expirationSeconds: z.int().nullish(),
      boundObjectRef: z
        .object({ apiVersion: z.string().nullish(), kind: z.string(), name: z.string(), uid: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
});

/** Upstream: SetDefaults_TokenRequestSpec. */
const defaultExpirationSeconds = 3600;

/**
 * Issues a token. Upstream: TokenREST.Create (pkg/registry/core/serviceaccount/storage, v1.36).
 * @throws ApiError
 */
export async function handleTokenRequest(
  nodeHost: NodeHost,
  namespace: string,
  name: string,
  request: Request,
  response: Response,
): Promise<void> {
  const parsed = requestSchema.safeParse(structuredBody(request) ?? {});
  if (!parsed.success) throw badRequest('the body must be a TokenRequest');
  const { audiences, expirationSeconds, boundObjectRef } = parsed.data.spec ?? {};
  if (boundObjectRef && boundObjectRef.kind !== 'Pod') {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to object of kind ${boundObjectRef.kind}: ` +
        'tokens are bound to pods here',
    );
  }
  const spec = {
    audiences: audiences && audiences.length > 0 ? audiences : [tokenIssuer],
    expirationSeconds: expirationSeconds ?? defaultExpirationSeconds,
    boundObjectRef: boundObjectRef ?? null,
  };
  const boundPod = boundObjectRef && { name: boundObjectRef.name, uid: boundObjectRef.uid ?? '' };
  const { token, expires } = await nodeHost.change(({ api: { tokens } }) =>
    tokens.issue(namespace, name, { ...spec, ...(boundPod ? { boundPod } : {}) }),
  );
  response.status(201).json({
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: formatTime(nodeHost.clock.now()) },
    spec,
    status: { token, expirationTimestamp: formatTime(expires) },
  });
}

/** Returns the routes with the public keys. Upstream: pkg/routes/openidmetadata.go (v1.36). */
export function tokenKeys(nodeHost: NodeHost): Router {
  const router = Router();
  router.get('/.well-known/openid-configuration', (request, response) => {
    response.json({
      issuer: tokenIssuer,
      jwks_uri: `https://${request.headers.host ?? 'localhost'}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(nodeHost.api.tokens.keys.map(({ alg }) => alg))],
    });
  });
  router.get('/openid/v1/jwks', (_request, response) => {
    response.type('application/jwk-set+json').send(JSON.stringify({ keys: nodeHost.api.tokens.keys }));
  });
  return router;
}
