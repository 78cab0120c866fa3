/** Loads the server's certificate from the state directory, or creates it. */
import { mkdir, readFile } from 'node:fs/promises';
import { StartError } from '../start-error.ts';
import { type StateDirectory, writePrivately } from '../state/state-directory.ts';
import { createServerCertificate, isUsable, type ServerCertificate } from './certificates.ts';

/**
 * Returns the stored certificate. Creates a new one if the directory has no certificate, or if the stored one expires
 * soon or is for another host.
 * @throws StartError if the directory is not accessible
 */
export async function loadCertificate(state: StateDirectory, host: string): Promise<ServerCertificate> {
  const paths = {
    ca: state.join('tls', 'ca.crt'),
    certificate: state.join('tls', 'server.crt'),
    key: state.join('tls', 'server.key'),
  };
  try {
    await mkdir(state.join('tls'), { recursive: true, mode: 0o700 });
    const [ca, certificate, key] = await Promise.all([
      readFile(paths.ca, 'utf8'),
      readFile(paths.certificate, 'utf8'),
      readFile(paths.key, 'utf8'),
    ]);
    const kept = { ca, certificate, key };
    if (isUsable(kept, host)) return kept;
  } catch (error) {
    // Create a new certificate if the stored one is missing or invalid. If the directory can't be written, the write
    // below fails.
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new StartError(`${state.join('tls')} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  const made = await createServerCertificate(host);
  await Promise.all([
    writePrivately(paths.ca, made.ca),
    writePrivately(paths.certificate, made.certificate),
    writePrivately(paths.key, made.key),
  ]);
  return made;
}
