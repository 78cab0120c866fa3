import { describe, expect, it } from 'vitest';
import { demultiplex } from '../docker/frames.ts';
import type { OutputFrame } from '../docker/port.ts';
import { collect } from '../testing/collect.ts';
import { logLines } from './container-logs.ts';
import { logMessages } from './log-messages.ts';

const time = '2026-01-02T03:04:05.123456789Z';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* from<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
  await Promise.resolve();
}

const frame = (text: string, stream: OutputFrame['stream'] = 'stdout'): OutputFrame => ({ stream, data: bytes(text) });
const lines = (...frames: OutputFrame[]) => collect(logLines(logMessages(from(...frames))));

describe('log lines', () => {
  it('have a time and a stream and end at the line feed', async () => {
    expect(await lines(frame(`${time} one\n`), frame(`${time} two\n`, 'stderr'), frame(`${time} \n`))).toEqual([
      { time: Date.UTC(2026, 0, 2, 3, 4, 5) + 123.456789, stream: 'stdout', text: 'one' },
      { time: expect.any(Number), stream: 'stderr', text: 'two' },
      { time: expect.any(Number), stream: 'stdout', text: '' },
    ]);
  });

  it('are assembled from chunks, even if a chunk ends inside a character, and long lines are split', async () => {
    const text = bytes(`${time} späße\r\n${time} b\n${time} rest`);
    const pieces = [text.subarray(0, 34), text.subarray(34, 40), text.subarray(40)].map(
      (data): OutputFrame => ({ stream: 'stdout', data }),
    );
    expect((await lines(...pieces)).map((line) => line.text)).toEqual(['späße', 'b', 'rest']);
  });

  it('are marked as partial if the engine cut them, except for the last part', async () => {
    const part = 'x'.repeat(16_383);
    // The engine cuts the message in the middle of the two bytes of ß.
    const whole = bytes(`${part}ß`);
    const first = new Uint8Array([...bytes(`${time} `), ...whole.subarray(0, 16_384)]);
    const second = new Uint8Array([...bytes(`${time} `), ...whole.subarray(16_384), ...bytes(' end\n')]);
    const result = await lines({ stream: 'stdout', data: first }, { stream: 'stdout', data: second });
    expect(result.map(({ text, partial }) => [text, partial])).toEqual([
      [part, true],
      ['ß end', undefined],
    ]);
  });
});

const multiplexed = (stream: number, text: string): Uint8Array => {
  const data = bytes(text);
  return new Uint8Array([stream, 0, 0, 0, 0, 0, data.length >> 8, data.length & 255, ...data]);
};

describe('multiplexed streams', () => {
  it('are parsed independently of how they are split into chunks', async () => {
    const all = new Uint8Array([...multiplexed(1, 'out'), ...multiplexed(2, ''), ...multiplexed(2, 'err'.repeat(200))]);
    for (const size of [1, 7, 8, 9, 1000]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      );
      const frames = await collect(demultiplex(from(...chunks)));
      expect(frames.map(({ stream, data }) => [stream, new TextDecoder().decode(data)])).toEqual([
        ['stdout', 'out'],
        ['stderr', ''],
        ['stderr', 'err'.repeat(200)],
      ]);
    }
  });

  it("fail with the engine's error text", async () => {
    await expect(collect(demultiplex(from(multiplexed(3, 'broken'))))).rejects.toThrow('broken');
  });
});
