/**
 * Runs the contract suite with gRPC and a streaming server in between. Tests that the simulator's answers arrive
 * complete over sockets, and that logs can be read from files, as a kubelet reads them. Connections take real time, so
 * these tests use a fast clock instead of a virtual one.
 */
import { describeCriContract } from '@podscope/cri/testing';
import { simulatorOverGrpc } from './testing/grpc-environment.ts';

describeCriContract('simulator over gRPC', simulatorOverGrpc);
