/** Defines the CRI contract tests of exec, attach and port-forward. */
import { describe, expect, it } from 'vitest';
import type { ContainerStreams, ProcessStreams, TerminalSize } from '../../runtime/container-streams.ts';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';

const encoder = new TextEncoder();

/** Returns a source of texts. It ends when `end` is called. */
function input(...texts: string[]): { source: AsyncIterable<Uint8Array>; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* read(): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield encoder.encode(text);
    await ended;
  }
  return { source: read(), end: () => end() };
}

function ended(...texts: string[]): AsyncIterable<Uint8Array> {
  const given = input(...texts);
  given.end();
  return given.source;
}

function collector(): { readonly write: (data: Uint8Array) => Promise<void>; text(): string } {
  const decoder = new TextDecoder();
  let text = '';
  return {
    write(data) {
      text += decoder.decode(data, { stream: true });
      return Promise.resolve();
    },
    text: () => text,
  };
}

type Exec = (containerId: string, script: string, given: ProcessStreams) => Promise<number>;

export function describeStreams(scene: () => Scene, features: ContractFeatures): void {
  describe('streams', () => {
    const streams = (): ContainerStreams => {
      const found = scene().environment.runtime.streams;
      if (!found)
        throw new Error(
          'the environment gives no streams: those behind the URLs of Exec, Attach and PortForward are meant too',
        );
      return found;
    };
    const exec: Exec = (containerId, script, given) =>
      streams().exec(scene().ctx(), { containerId, cmd: ['sh', '-c', script] }, given);

    it('of exec carry both outputs and the exit code', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      const [stdout, stderr] = [collector(), collector()];
      expect(await exec(id, 'echo out; echo err >&2; exit 5', { tty: false, stdout, stderr })).toBe(5);
      expect([stdout.text(), stderr.text()]).toEqual(['out\n', 'err\n']);
    });

    it('of exec carry input up to its end', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      const stdout = collector();
      expect(await exec(id, 'cat; echo end', { tty: false, stdin: ended('one\n', 'two\n'), stdout })).toBe(0);
      expect(stdout.text()).toBe('one\ntwo\nend\n');
    });

    it('of exec may be a terminal with a size', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      const stdout = collector();
      async function* sizes(): AsyncGenerator<TerminalSize> {
        await scene().environment.waitFor(() => stdout.text().includes('ready'), 'the command to begin');
        yield { width: 97, height: 31 };
      }
      const script = 'echo ready; until [ "$(stty size 2>/dev/null)" = "31 97" ]; do sleep 0.1; done; stty size';
      expect(await exec(id, script, { tty: true, stdout, resize: sizes() })).toBe(0);
      expect(stdout.text()).toBe('ready\r\n31 97\r\n');
    });

    it('of exec are rejected for an exited or unknown container', async () => {
      const exited = await scene().start(await scene().pod(), 'true');
      await scene().exited(exited);
      await expect(exec(exited, 'true', { tty: false, stdout: collector() })).rejects.toMatchObject(criError());
      await expect(
        exec('fedcba9876543210'.repeat(4), 'true', { tty: false, stdout: collector() }),
      ).rejects.toMatchObject(criError('NotFound'));
    });

    it('of attach reach the main process and end with it', async () => {
      const script = 'echo up; read line; echo "got $line"; exit 3';
      const id = await scene().start(await scene().pod(), script, { stdin: true, stdinOnce: true });
      await scene().printed(id, 'up');
      const stdout = collector();
      await streams().attach(scene().ctx(), id, { tty: false, stdin: ended('hello\n'), stdout, stderr: collector() });
      expect(stdout.text()).toContain('got hello\n');
      expect(await scene().exited(id)).toMatchObject({ exitCode: 3 });
    });

    const { loopbackNeeds: needs = [] } = features;
    it("of port-forward reach the pod's loopback", { meta: { needs } }, async () => {
      const sandbox = await scene().sandbox();
      const script =
        'mkdir -p /www; echo forwarded > /www/index.html; echo up; exec httpd -f -p 127.0.0.1:8080 -h /www';
      await scene().printed(await scene().start(sandbox, script), 'up');
      let answer = collector();
      await scene().environment.waitFor(async () => {
        answer = collector();
        const given = input('GET /index.html HTTP/1.0\r\n\r\n');
        await streams()
          .portForward(scene().ctx(), sandbox.id, 8080, { source: given.source, write: (data) => answer.write(data) })
          .catch(() => undefined);
        given.end();
        return answer.text().includes('forwarded');
      }, 'the forwarded answer');
      expect(answer.text()).toMatch(/^HTTP\/1\.. 200 OK/);
      await expect(
        streams().portForward(scene().ctx(), sandbox.id, 8081, {
          source: ended(),
          write: (data) => answer.write(data),
        }),
      ).rejects.toMatchObject(criError());
    });
  });
}
