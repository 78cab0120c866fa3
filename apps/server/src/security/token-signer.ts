/** Signs service account tokens with a key that is stored in the state directory. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TokenSigner } from '@podscope/apiserver';
import { writePrivately } from '../state/state-directory.ts';

const algorithm = 'ES256';
const curve = 'prime256v1';

async function keptKey(file: string): Promise<KeyObject | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyDetails?.namedCurve === curve ? key : undefined;
  } catch {
    // A truncated file counts as missing. The key is then replaced, which has the same effect as a key rotation.
    return undefined;
  }
}

/** Returns a signer with the key in a file. Generates the key if the file is missing or invalid. */
export async function openTokenSigner(file: string): Promise<TokenSigner> {
  let key = await keptKey(file);
  if (!key) {
    key = generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
    await writePrivately(file, key.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  const privateKey = key;
  const publicKey = createPublicKey(privateKey);
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return {
    header: { alg: algorithm, kid },
    keys: [{ use: 'sig', kid, alg: algorithm, ...publicKey.export({ format: 'jwk' }) }],
    sign: (text) => sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}
