/** Checks that actions on a container of a genuine kubelet are refused, with the reason. */
import { describe, expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { SkipWait } from './ContainerActions.tsx';

const observed = { approximate: false, differences: [], sources: ['cri'], missing: ['api'] };

/** Renders the action that skips a back-off, and returns its button. */
async function skipButton(node: object): Promise<HTMLElement> {
  const { screen } = await renderWithNode(<SkipWait pod={{ namespace: 'shop', name: 'web' }} container="app" />, {
    node,
  });
  return screen.findByRole('button', { name: /Skip the wait/ });
}

describe('SkipWait', () => {
  it('is disabled for a genuine kubelet and gives the reason', async () => {
    const button = await skipButton({ observed });
    expect(button.hasAttribute('disabled')).toBe(true);
    expect(button.closest('[title*="the kubelet of this node is a genuine one"]')).toBeTruthy();
  });

  it('is enabled for the kubelet of Podscope', async () => {
    const button = await skipButton({});
    expect(button.hasAttribute('disabled')).toBe(false);
  });
});
