/** Runs the contract suite through gRPC, with logs read from the files that dockershim writes, as kubelets do. */
import { describeCriContract } from '@podscope/cri/testing';
import { dockershimOverGrpc } from '../testing/contract-environment.ts';

describeCriContract('dockershim over gRPC', dockershimOverGrpc);
