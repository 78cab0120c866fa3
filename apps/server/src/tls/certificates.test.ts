import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createServerCertificate, isUsable } from './certificates.ts';

describe('createServerCertificate', () => {
  it('returns a certificate for loopback and the host, signed by its authority', async () => {
    const made = await createServerCertificate('box.lan');
    const ca = new X509Certificate(made.ca);
    const server = new X509Certificate(made.certificate);
    expect(ca.ca).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(server.checkIP('::1')).toBe('::1');
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkHost('box.lan')).toBe('box.lan');
    expect(server.checkHost('evil.example')).toBeUndefined();
    expect(made.key).toContain('BEGIN PRIVATE KEY');
  });
});

describe('isUsable', () => {
  it('requires the host name and remaining validity', async () => {
    const made = await createServerCertificate('127.0.0.1');
    expect(isUsable(made, '127.0.0.1')).toBe(true);
    expect(isUsable(made, '0:0:0:0:0:0:0:1')).toBe(true);
    expect(isUsable(made, 'box.lan')).toBe(false);
    expect(isUsable(made, '127.0.0.1', Date.now() + 3_640 * 86_400_000)).toBe(false);
  });
});
