/**
 * The contract once more, with gRPC and a streaming server between: what the simulator answers arrives whole on the
 * other side of sockets, and logs are read from files, as a kubelet reads them. Real connections take real time, so the
 * clock only runs faster.
 */
import { describeCriContract } from '@podscope/cri/testing';
import { simulatorOverGrpc } from './testing/grpc-environment.ts';

describeCriContract('simulator over gRPC', simulatorOverGrpc);
