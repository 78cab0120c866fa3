import { describe, expect, it } from 'vitest';
import { type ExecEnd, type ExecSocket, ExecStream, execUrl, readEnd } from './exec-stream.ts';

class FakeSocket extends EventTarget {
  binaryType: BinaryType = 'blob';
  readyState: ExecSocket['readyState'] = 1;
  readonly sent: string[] = [];

  send(data: unknown): void {
    const bytes = data as Uint8Array;
    this.sent.push(`${bytes[0]}:${new TextDecoder().decode(bytes.subarray(1))}`);
  }

  close(): void {
    this.readyState = 3;
  }

  receive(channel: number, text: string): void {
    const bytes = new TextEncoder().encode(text);
    const data = new Uint8Array(bytes.length + 1);
    data[0] = channel;
    data.set(bytes, 1);
    this.dispatchEvent(Object.assign(new Event('message'), { data: data.buffer }));
  }
}

function open(readyState: ExecSocket['readyState'] = 1) {
  const socket = new FakeSocket();
  socket.readyState = readyState;
  let opened = 0;
  const ends: ExecEnd[] = [];
  let printed = '';
  const stream = new ExecStream(socket, {
    opened: () => void opened++,
    output: (data) => {
      printed += new TextDecoder().decode(data);
    },
    ended: (end) => ends.push(end),
  });
  return { socket, stream, ends, printed: () => printed, opened: () => opened };
}

describe('ExecStream', () => {
  it('sends keys and sizes on their channels', () => {
    const { socket, stream } = open();
    stream.write('ls\r');
    stream.resize(80, 24);
    expect(socket.sent).toEqual(['0:ls\r', '4:{"Width":80,"Height":24}']);
  });

  it('closes a socket that is still connecting once it is open, and reports nothing', () => {
    const { socket, stream, ends, opened } = open(0);
    stream.close();
    expect(socket.readyState).toBe(0);
    socket.readyState = 1;
    socket.dispatchEvent(new Event('open'));
    expect(socket.readyState).toBe(3);
    expect([opened(), ends]).toEqual([0, []]);
  });

  it('forwards output and reports the end once', () => {
    const { socket, ends, printed } = open();
    socket.receive(1, 'out');
    socket.receive(2, 'err');
    socket.receive(
      3,
      JSON.stringify({
        status: 'Failure',
        message: 'exit 3',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      }),
    );
    socket.dispatchEvent(Object.assign(new Event('close'), { reason: 'bye' }));
    expect(printed()).toBe('outerr');
    expect(ends).toEqual([{ code: 3, message: 'exit 3' }]);
  });

  it('sends nothing after the end', () => {
    const { socket, stream } = open();
    stream.close();
    stream.write('x');
    expect(socket.sent).toEqual([]);
  });
});

describe('readEnd', () => {
  it.each([
    ['{"status":"Success"}', { code: 0, message: undefined }],
    ['not JSON', { code: undefined, message: 'not JSON' }],
  ])('%s', (text, end) => {
    expect(readEnd(text)).toEqual(end);
  });
});

describe('execUrl', () => {
  it('contains container and command', () => {
    expect(
      execUrl({ namespace: 'default', pod: 'web', container: 'app', command: ['sh', '-i'] }, 'https://box:1/x'),
    ).toBe(
      'wss://box:1/api/v1/namespaces/default/pods/web/exec?container=app' +
        '&command=sh&command=-i&stdin=true&stdout=true&tty=true',
    );
  });
});
