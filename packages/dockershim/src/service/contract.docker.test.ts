import { describeCriContract } from '@podscope/cri/testing';
import { dockershimEnvironment, dockershimFeatures } from '../testing/contract-environment.ts';

describeCriContract('dockershim on the Docker Engine', dockershimEnvironment, dockershimFeatures);
