import { describe, expect, it, type Mock, vi } from 'vitest';
import { type ConsentEnvironment, mayUseNpx } from './npx-consent.ts';

function environment(
  rest: Partial<Omit<ConsentEnvironment, 'ask'>> & { ask?: Mock<ConsentEnvironment['ask']> } = {},
  stored: Readonly<Record<string, unknown>> = {},
) {
  const values = new Map(Object.entries(stored));
  return {
    isPublished: true,
    isTrusted: () => true,
    memory: {
      get: (key: string) => values.get(key),
      update: async (key: string, value: unknown) => void values.set(key, value),
    },
    ask: vi.fn<ConsentEnvironment['ask']>(async () => true),
    ...rest,
  };
}

describe('mayUseNpx', () => {
  it('asks once for each version of Podscope', async () => {
    const user = environment();
    expect(await mayUseNpx('0.1.0', user)).toBe(true);
    expect(await mayUseNpx('0.1.0', user)).toBe(true);
    expect(user.ask.mock.calls).toEqual([['0.1.0']]);
    expect(await mayUseNpx('0.2.0', user)).toBe(true);
    expect(user.ask.mock.calls).toEqual([['0.1.0'], ['0.2.0']]);
  });

  it('asks again after the consent for all versions that an earlier extension stored', async () => {
    const user = environment({ ask: vi.fn<ConsentEnvironment['ask']>(async () => false) }, { 'podscope.npx': true });
    expect(await mayUseNpx('0.1.0', user)).toBe(false);
    expect(user.ask).toHaveBeenCalledOnce();
  });

  it('asks again after a refusal', async () => {
    const user = environment({ ask: vi.fn<ConsentEnvironment['ask']>(async () => false) });
    expect([await mayUseNpx('0.1.0', user), await mayUseNpx('0.1.0', user)]).toEqual([false, false]);
    expect(user.ask).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['a workspace that is not trusted', { isTrusted: () => false }],
    ['a package that is not published', { isPublished: false }],
  ])('does not ask, and ignores an earlier consent, with %s', async (_case, rest) => {
    const user = environment(rest, { 'podscope.npx.versions': ['0.1.0'] });
    expect(await mayUseNpx('0.1.0', user)).toBe(false);
    expect(user.ask).not.toHaveBeenCalled();
  });
});
