/**
 * Runs the CRI contract suite through the relay, while a debugger observes every call and the relay asks it about some
 * calls.
 */
import { describeCriContract } from '@podscope/cri/testing';
import { simulatorOverGrpc } from '@podscope/simulated-runtime/testing';
import { observedRelay } from './testing/observed-relay.ts';

describeCriContract('simulator through the relay', () => simulatorOverGrpc(observedRelay));
