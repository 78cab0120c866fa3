var e=`import { describeCriContract } from '@podscope/cri/testing';
import { simulatorEnvironment } from './testing/contract-environment.ts';

describeCriContract('simulator', () => Promise.resolve(simulatorEnvironment()), { logFiles: false, terminalSizes: false, kernel: false, metrics: false });
`;export{e as default};
//# sourceMappingURL=contract.test-2wOC7gON.js.map