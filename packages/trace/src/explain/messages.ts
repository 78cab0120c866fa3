/**
 * Contains the English texts of explanations. A value replaces `{name}`; the texts use no other syntax of ICU
 * MessageFormat.
 */

import { capacityMessages } from './causes/capacity-messages.ts';
import { dependencyMessages } from './causes/dependency-messages.ts';
import { failureMessages } from './causes/failure-messages.ts';
import { knownMessages } from './causes/known-messages.ts';
import { placementMessages } from './causes/placement-messages.ts';
import { podMessages } from './causes/pod-messages.ts';
import { probeMessages } from './causes/probe-messages.ts';
import { programMessages } from './causes/program-messages.ts';
import { runningMessages } from './causes/running-messages.ts';
import { startMessages } from './causes/start-messages.ts';
import { workloadMessages } from './causes/workload-messages.ts';

export const explainMessages = {
  ...placementMessages,
  ...programMessages,
  ...probeMessages,
  ...failureMessages,
  ...podMessages,
  ...startMessages,
  ...workloadMessages,
  ...dependencyMessages,
  ...runningMessages,
  ...knownMessages,
  ...capacityMessages,
  // Exits
  exit0: 'success. A program that should keep running has ended',
  exit1: 'application error; see its log',
  exit2: 'application error; in shells: wrong use of a command',
  exit125: 'the runtime itself failed',
  exit126: 'the command may not be executed',
  exit127: 'the command was not found',
  exit128: 'a wrong exit status, or the runtime could not start the process',
  exit137: 'killed by SIGKILL: out of memory, the grace period was over, or a user or another process killed it',
  exitMemory: 'killed by SIGKILL because memory ran out',
  exit139: 'ended by SIGSEGV: the program touched memory that is not its own',
  exit143: 'ended by SIGTERM: it was asked to stop',
  exitSignal: 'ended by {signal}',
  exitOther: 'application-defined exit code',
  // Sandbox
  sandboxChangedTitle: 'The sandbox was replaced',
  sandboxChanged:
    'The kubelet found that the sandbox would not do any more, killed what was in it, and made a new one ' +
    '(attempt {attempt}). Kubernetes itself only says SandboxChanged; this is why:',
  sandboxNotReady: 'The runtime showed sandbox {sandbox} as not ready: its pause process was not running any more.',
  sandboxTwo: 'The runtime showed more than one ready sandbox for the pod.',
  sandboxNetworkMode: 'The sandbox was in network namespace {network}, and the spec wants {wanted}.',
  sandboxNoAddress: 'The sandbox had no address.',
  sandboxExit: 'Its pause process ended with exit code {code}: {meaning}.',
  // Stopped by the debugger
  heldTitle: 'Paused by the debugger',
  held: 'The pod worker is stopped at {point}. Continue to resume.',
  // States of sandbox and containers
  sandboxNow: 'The sandbox is {state}{address} (attempt {attempt}).',
  sandboxAddress: ' with address {ip}',
  stateCreated: 'created',
  stateRunning: 'running',
  stateExited: 'exited',
  stateUnknown: 'unknown',
  stateRemoved: 'removed',
  containerNever: '{container} has not been created.',
  containerRuns: '{container} runs since {time} (attempt {attempt}).',
  containerCreated: '{container} was created and has not started (attempt {attempt}).',
  containerEnded: '{container} exited at {time}{ran}{code}{reason}{starts}.',
  containerRan: ' after running {length}',
  containerCode: ' with exit code {code}',
  containerStarts: '; it was started {count} times',
  containerFailed: '{container}: {activity} failed at {time}{detail}.',
  containerWaitsStart:
    '{container} waits: after the last failure the kubelet starts it again only after {length}, at {time} ({left}).',
  containerWaitsPull:
    '{container} waits: after the last failure the kubelet pulls its image again only after {length}, at {time} ' +
    '({left}).',
  waitLeft: '{length} left',
  waitOver: 'over: the next sync is due',
  containerShown: '{container} is shown as {reason}{message}.',
  // Commands
  tryEvents: 'See its events, newest last',
} as const satisfies Readonly<Record<string, string>>;
