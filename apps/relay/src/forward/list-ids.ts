/**
 * Reads the ids in the answers of ListPodSandbox and ListContainers, and encodes requests with an id. In `runtime.v1`
 * and `runtime.v1alpha2`, the items are field 1 of these messages, and the id is field 1 of an item and of a request.
 * Doesn't use `protobufjs/minimal`: loading it takes 7 MB of the 120 MB that the relay may use.
 */

const lengthDelimited = 2;

interface Field {
  readonly number: number;
  /** Undefined for a field that isn't length-delimited. */
  readonly bytes: Buffer | undefined;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads a varint. @throws RangeError if the bytes end too early */
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the message ends within a number');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the message ends within a field');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** Returns the fields of a message in order. @throws RangeError for bytes that aren't a message */
function fieldsOf(bytes: Buffer): readonly Field[] {
  const reader = new Reader(bytes);
  const fields: Field[] = [];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === lengthDelimited) fields.push({ number, bytes: reader.take(reader.varint()) });
    else {
      if (type === 0) reader.varint();
      else if (type === 1) reader.take(8);
      else if (type === 5) reader.take(4);
      else throw new RangeError(`unknown wire type ${type}`);
      fields.push({ number, bytes: undefined });
    }
  }
  return fields;
}

/** Returns the ids of the items in a list's answer; none if the bytes aren't such an answer. */
export function idsInList(message: Buffer): readonly string[] {
  try {
    return fieldsOf(message).flatMap(({ number, bytes }) => {
      const id = number === 1 && bytes ? fieldsOf(bytes).find((field) => field.number === 1)?.bytes : undefined;
      return id ? [id.toString('utf8')] : [];
    });
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns a gRPC message whose only field is an id. */
export function requestWithId(id: string): Buffer {
  const text = Buffer.from(id);
  const length: number[] = [];
  let rest = text.length;
  for (; rest > 127; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  const field = Buffer.concat([Buffer.from([8 + lengthDelimited, ...length, rest]), text]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(field.length, 1);
  return Buffer.concat([prefix, field]);
}
