/** Runs the CRI contract suite through the relay in front of our own dockershim. */
import { describeCriContract } from '@podscope/cri/testing';
import { dockershimFeatures, dockershimOverGrpc } from '@podscope/dockershim/testing/contract';
import { observedRelay } from './testing/observed-relay.ts';

describeCriContract('dockershim through the relay', () => dockershimOverGrpc(observedRelay), dockershimFeatures);
