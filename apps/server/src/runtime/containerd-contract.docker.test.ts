/**
 * Runs the CRI contract suite against containerd's own CRI plugin. This shows that the suite requires only what CRI
 * specifies, and that the client is compatible with containerd.
 */
import { describeCriContract } from '@podscope/cri/testing';
import { containerdEnvironment, containerdFeatures } from './testing/containerd-environment.ts';

describeCriContract('containerd', containerdEnvironment, containerdFeatures);
