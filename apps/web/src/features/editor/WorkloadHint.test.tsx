/** Checks that the editor offers the pod template of a pasted workload. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { useDraft } from './draft.ts';
import WorkloadHint from './WorkloadHint.tsx';

const deployment = `kind: Deployment
metadata: { name: web }
spec: { template: { spec: { containers: [{ name: app, image: "shop/web:2" }] } } }
`;

it('replaces a pasted Deployment with the pod of its template', async () => {
  useDraft.setState({ text: deployment });
  render(<WorkloadHint text={deployment} />);
  expect(screen.getByText(/Deployment web/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use its pod template' }));
  expect(useDraft.getState().text).toMatch(/^apiVersion: v1\nkind: Pod\n/);
});
