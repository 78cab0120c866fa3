/**
 * Implements `podscope start`, which `pnpm start` also runs. The modules of the server are loaded only after the
 * command line is parsed.
 */
import { type CommandBody, unsupportedNode } from '@podscope/command-line';
import { print } from './cli/console.ts';
import { fail } from './cli/fail.ts';
import { helpText } from './cli/help.ts';
import { parseCommandLine } from './cli/options.ts';
import { StartError } from './start-error.ts';
import { productVersion } from './version.ts';

export const command: CommandBody = {
  help: helpText(),
  examples: [
    ['start', 'Serve the page on Docker, or on the simulator where no Docker answers'],
    ['start --runtime sim --open', 'Use the simulator and open the browser'],
    ['start --manifest-dir pods --profile v1.20', 'Run the manifests of a directory as kubelet v1.20 did'],
    ['start --class', 'Serve a class: learners join with a link'],
    ['start --kubeconfig ~/.kube/config', 'Watch the pods of a cluster, read-only'],
  ],
  async run(args) {
    const line = parseCommandLine(args);
    if (line.action !== 'serve') {
      print(line.action === 'help' ? helpText() : productVersion);
      return 0;
    }
    try {
      const problem = unsupportedNode(process.version);
      if (problem !== undefined) throw new StartError(problem);
      if (line.options.isClass) {
        const { serveClass } = await import('./classroom/serve-class.ts');
        await serveClass(line.options);
        return 0;
      }
      const { serve } = await import('./serve.ts');
      await serve(line.options);
      return 0;
    } catch (error) {
      if (error instanceof StartError) fail(error.message, 1);
      fail(`could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 1);
    }
  },
};
