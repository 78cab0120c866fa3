/** Loads a certificate that the user provides. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { StartError } from '../start-error.ts';
import type { ServerCertificate } from './certificates.ts';

/** A certificate and its host names. */
export interface GivenCertificate extends ServerCertificate {
  /** DNS names and IP addresses of the certificate, without wildcards. */
  readonly names: readonly string[];
}

const read = async (option: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(`${option} ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/**
 * Parses host names from text such as `DNS:box.lan, IP Address:192.168.0.1`. Quoted entries are skipped: they contain
 * unusual characters and can't be host names.
 */
const namesOf = (subjectAltName: string | undefined): readonly string[] =>
  (subjectAltName ?? '').split(', ').flatMap((entry) => {
    const name = /^(?:DNS|IP Address):([^"*]+)$/.exec(entry)?.[1];
    return name === undefined ? [] : [name.toLowerCase()];
  });

/**
 * Loads a certificate chain and its key.
 * @throws StartError if they can't be read, don't match, or are outside their validity period
 */
export async function readGivenCertificate(
  files: { readonly certificate: string; readonly key: string },
  now: number = Date.now(),
): Promise<GivenCertificate> {
  const [certificate, key] = await Promise.all([read('--tls-cert', files.certificate), read('--tls-key', files.key)]);
  let leaf: X509Certificate;
  try {
    createSecureContext({ cert: certificate, key });
    leaf = new X509Certificate(certificate);
  } catch (error) {
    throw new StartError(
      `--tls-cert ${files.certificate} and --tls-key ${files.key} are not a certificate and its key in PEM: ` +
        (error as Error).message,
      {
        cause: error,
      },
    );
  }
  if (now > leaf.validToDate.getTime())
    throw new StartError(`--tls-cert ${files.certificate} has expired on ${leaf.validToDate.toISOString()}: renew it`);
  // Use the certificate chain itself as the authority in the kubeconfig. kubectl then trusts it, no matter which
  // authority signed it.
  return { ca: certificate, certificate, key, names: namesOf(leaf.subjectAltName) };
}
