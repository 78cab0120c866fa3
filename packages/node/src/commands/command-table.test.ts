import { describe, expect, it } from 'vitest';
import { CommandTable, requireConnection } from './command-table.ts';

const call = { signal: new AbortController().signal };

describe('CommandTable', () => {
  it('returns the result of a command’s handler', async () => {
    const table = new CommandTable({ getPodYaml: ({ name }) => ({ yaml: name }) });
    table.register({ debugState: () => Promise.resolve('state') });
    expect(await table.run({ command: 'getPodYaml', namespace: 'default', name: 'web' }, call)).toEqual({
      yaml: 'web',
    });
    expect(await table.run({ command: 'debugState' }, call)).toBe('state');
  });

  it('rejects a command without a handler, and names the node that has it', async () => {
    await expect(new CommandTable().run({ command: 'debugState' }, call)).rejects.toMatchObject({
      code: 400,
      message: 'This node has no command debugState.',
    });
    await expect(new CommandTable().run({ command: 'rerun', seq: 1 }, call)).rejects.toMatchObject({
      message: expect.stringContaining('only a simulation has it'),
    });
  });

  it('rejects a second handler for a command', () => {
    const table = new CommandTable({ debugState: () => 1 });
    expect(() => table.register({ debugState: () => 2 })).toThrow('the command debugState already has a handler');
  });
});

it('rejects a command that needs the stream if it arrives over HTTP', () => {
  expect(() => requireConnection(call, 'followLogs')).toThrow(
    'The command followLogs needs a connection: use the stream.',
  );
});
