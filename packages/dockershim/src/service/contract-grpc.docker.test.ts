/** Runs the contract suite through gRPC. As kubelets do, it reads logs from the files that dockershim writes. */
import { describeCriContract } from '@podscope/cri/testing';
import { dockershimFeatures, dockershimOverGrpc } from '../testing/contract-environment.ts';

describeCriContract('dockershim over gRPC', dockershimOverGrpc, dockershimFeatures);
