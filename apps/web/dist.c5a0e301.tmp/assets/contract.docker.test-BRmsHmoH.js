var e=`import { describeCriContract } from '@podscope/cri/testing';
import { dockershimEnvironment } from './testing/contract-environment.ts';

describeCriContract('dockershim on the Docker Engine', dockershimEnvironment);
`;export{e as default};
//# sourceMappingURL=contract.docker.test-BRmsHmoH.js.map