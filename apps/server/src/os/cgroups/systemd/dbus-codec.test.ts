import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, messageTypes, splitSignature } from './dbus-codec.ts';

const text = (value: string): string => Buffer.from(value).toString('hex');

/** The first call of every client on a message bus. The bytes are derived by hand from the D-Bus specification. */
const hello = [
  '6c010001', // little-endian, method call, no flags, protocol version 1
  '00000000', // length of the body
  '01000000', // serial
  '6d000000', // length of the header fields: 109
  `01016f0015000000${text('/org/freedesktop/DBus')}00`, // path
  '0000',
  `0201730014000000${text('org.freedesktop.DBus')}00`, // interface
  '000000',
  `0301730005000000${text('Hello')}00`, // member
  '0000',
  `0601730014000000${text('org.freedesktop.DBus')}00`, // destination
  '000000', // padding to 8 bytes
].join('');

const message = {
  type: messageTypes.methodCall,
  serial: 1,
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
  member: 'Hello',
  destination: 'org.freedesktop.DBus',
  body: [],
};

describe('encodeMessage', () => {
  it('encodes the call Hello to the bytes of the specification', () => {
    expect(encodeMessage(message).toString('hex')).toBe(hello);
  });

  it('aligns arrays of structures and variants to 8 bytes', () => {
    const body = [[['CPUWeight', { signature: 't', value: 100n }]]];
    const encoded = encodeMessage({ ...message, signature: 'a(sv)', body });
    const at = encoded.length - encoded.readUInt32LE(4);
    expect(encoded.subarray(at).toString('hex')).toBe(
      [
        '20000000', // length of the array without its padding: 32
        '00000000',
        `09000000${text('CPUWeight')}00`,
        '017400', // signature of the variant
        '00000000000000',
        '6400000000000000',
      ].join(''),
    );
  });

  it('fails for a missing argument', () => {
    expect(() => encodeMessage({ ...message, signature: 'ss', body: ['one'] })).toThrow('argument 1 is missing');
  });
});

describe('decodeMessage', () => {
  it('returns undefined until the whole message has arrived', () => {
    const bytes = Buffer.from(hello, 'hex');
    for (let length = 0; length < bytes.length; length++)
      expect(decodeMessage(bytes.subarray(0, length))).toBeUndefined();
    expect(decodeMessage(bytes)).toMatchObject({ length: bytes.length, message });
  });

  it('decodes what it encodes, for each supported type', () => {
    const signature = 'ybutsoga(sv)a(sa(sv))as';
    const properties = [
      ['MemoryMax', { signature: 't', value: 2n ** 64n - 1n }],
      ['Wants', { signature: 'as', value: ['a', 'bc'] }],
    ];
    const body = [7, true, 42, 2n ** 40n, 'übung', '/a/b', 'sv', properties, [['aux', properties]], ['x', '']];
    const decoded = decodeMessage(encodeMessage({ ...message, signature, body }));
    expect(decoded?.message.body).toEqual(body);
  });

  it('rejects a message in big-endian order', () => {
    expect(() => decodeMessage(Buffer.from(`42${hello.slice(2)}`, 'hex'))).toThrow('byte order');
  });
});

describe('splitSignature', () => {
  it('splits nested arrays and structures into complete types', () => {
    expect(splitSignature('sba(sv)a(sa(sv))aas')).toEqual(['s', 'b', 'a(sv)', 'a(sa(sv))', 'aas']);
  });
});
