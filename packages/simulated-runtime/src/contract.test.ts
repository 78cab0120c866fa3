import { describeCriContract } from '@podscope/cri/testing';
import { simulatorEnvironment } from './testing/contract-environment.ts';

describeCriContract('simulator', () => Promise.resolve(simulatorEnvironment()));
