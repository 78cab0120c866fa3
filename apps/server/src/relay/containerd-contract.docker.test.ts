/** Runs the CRI contract suite through the relay in front of containerd's own CRI plugin. */
import { describeCriContract } from '@podscope/cri/testing';
import { containerdEnvironment, containerdFeatures } from '../runtime/testing/containerd-environment.ts';
import { observedRelay } from './testing/observed-relay.ts';

describeCriContract('containerd through the relay', () => containerdEnvironment(observedRelay), containerdFeatures);
