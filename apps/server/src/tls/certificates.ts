/**
 * Creates the server's own certificate authority and a certificate. They are necessary because kubectl sends a token
 * only over TLS. The kubeconfig contains the authority's certificate. Both certificates are stored, so that copies of
 * the kubeconfig remain valid after a restart.
 */
// Import this module first, because the dependency injection of the certificate library requires it.
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** The certificates and the key in PEM format. */
export interface ServerCertificate {
  /** The certificate of the authority. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;
const lifetime = 3_650 * day;
/** A certificate that would expire within this time is replaced. */
const renewBefore = 30 * day;

const newKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
// Clear the first bit, because a serial number must be positive.
const newSerial = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
};

/** Returns the names for the certificate: the loopback names, and the host on which the server listens. */
const subjectNames = (host: string): { type: 'ip' | 'dns'; value: string }[] =>
  [...new Set(['127.0.0.1', '::1', 'localhost', host])].map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }));

/** Creates an authority and a certificate signed by it, for loopback and `host`. The authority's key is discarded. */
export async function createServerCertificate(host: string, now: number = Date.now()): Promise<ServerCertificate> {
  const [caKeys, serverKeys] = await Promise.all([newKeys(), newKeys()]);
  const period = { notBefore: new Date(now - day), notAfter: new Date(now + lifetime) };
  const issuer = `CN=podscope-ca-${randomBytes(4).toString('hex')}`;
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...period,
    serialNumber: newSerial(),
    name: issuer,
    signingAlgorithm: algorithm,
    keys: caKeys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(caKeys.publicKey, false),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...period,
    serialNumber: newSerial(),
    subject: 'CN=podscope',
    issuer,
    signingAlgorithm: algorithm,
    publicKey: serverKeys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(subjectNames(host)),
      await AuthorityKeyIdentifierExtension.create(caKeys.publicKey, false),
    ],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', serverKeys.privateKey), 'PRIVATE KEY');
  return { ca: ca.toString('pem'), certificate: server.toString('pem'), key };
}

/** Returns true if a certificate names the host and doesn't expire soon. */
export function isUsable({ certificate }: ServerCertificate, host: string, now: number = Date.now()): boolean {
  const parsed = new X509Certificate(certificate);
  const names = parsed.getExtension(SubjectAlternativeNameExtension)?.names.items.map(({ value }) => value) ?? [];
  return (
    parsed.notAfter.getTime() - now > renewBefore &&
    (names.includes(host) || names.map(canonical).includes(canonical(host)))
  );
}

/** Returns the canonical form of a host, which is `::1` for both `0:0:0:0:0:0:0:1` and `::1`. */
const canonical = (host: string): string => (isIP(host) === 6 ? new URL(`http://[${host}]`).hostname : host);
