var e=`---

id: debugging-a-pod
title: Debugging a failing pod, step by step
summary: Where to look first, and what each place can tell.
minutes: 9
---

## How far did it come? {#how-far}

\`\`\`scene
scenario: missing-config-map-volume
at: 5
until: 10
look: steps
options:
  - { happens: { type: spanStarted, point: kuberuntime.SyncPod } }
  - { never: { type: spanStarted, point: kuberuntime.SyncPod } }
expect:
  - { happens: { type: kubernetesEvent, reason: FailedMount } }
\`\`\`

First question: how far did it come? Volumes, sandbox, image, configuration, start: they come in this order, and a pod that is stuck is stuck at one of them. This one shows **ContainerCreating**.

? Has the runtime been asked for anything yet?

- [ ] Yes, for a sandbox at least
- [ ] No, it is stuck before that

ContainerCreating only means: no container yet. There is no sandbox either, so it must be something before it. The events say what: a volume can't be mounted.

## Read the events {#events}

\`\`\`scene
scenario: missing-key
at: 2
until: 16
look: events
options:
  - { happens: { type: kubernetesEvent, reason: Failed, message: ~couldn't find key grass in ConfigMap } }
  - { happens: { type: kubernetesEvent, reason: BackOff } }
\`\`\`

This pod came further: sandbox and image are there. One of its two containers runs, the other one does not.

? What do the events say of it?

- [ ] That a key of a config map could not be found
- [ ] That it is in back-off

**CreateContainerConfigError** is the waiting reason, the event has the sentence. Nothing was created, so nothing crashed: the restart count stays 0, and there is nothing in the log.

## Read the log {#log}

\`\`\`scene
scenario: permission-denied
at: 1
until: 6
look: logs
options:
  - { happens: { type: runtimeStateChanged, name: app, exitCode: 2 }, times: { min: 2 } }
  - { never: { type: runtimeStateChanged, name: app, exitCode: 2 } }
expect:
  - { happens: { type: podStatus, status: { containerStatuses: [{ lastState: { terminated: { exitCode: 2 } } }] } } }
\`\`\`

Here the container starts, and is in a crash loop soon. Now the log is the place to look: of the container that _ended_, which is \`kubectl logs --previous\`.

? Can the kubelet tell why it ends?

- [ ] It can tell that it ended with exit code 2, twice within seconds
- [ ] It can't even tell that

It has the exit code, and nothing else. With terminationMessagePolicy FallbackToLogsOnError the last lines of the log come into the status: a good thing to have before it is needed.

## Look inside {#inside}

\`\`\`scene
scenario: debug-container
at: 7.5
until: 10
look: { at: timeline, container: debugger }
options:
  - { happens: { type: runtimeStateChanged, name: debugger, to: running } }
  - { happens: { type: kubernetesEvent, reason: SandboxChanged } }
\`\`\`

When the log is not enough: \`kubectl debug\` adds a container with tools to the pod that runs, in the same network and, if wanted, among the same processes.

? Does that disturb the containers that run?

- [ ] No, it is started beside them
- [ ] Yes, the pod is made anew

An ephemeral container has its own step in SyncPod, before init containers: it can be added even to a pod that is stuck there.

## Ask why {#why}

\`\`\`scene
scenario: image-edited
at: 9.5
until: 12
look: [why, spec]
options:
  - { happens: { type: decision, rule: ~computePodActions, facts: { container: app } }, within: [9.5, 12] }
  - { never: { type: decision }, within: [9.5, 12] }
expect:
  - { happens: { type: kubernetesEvent, reason: Killing, message: ~definition changed } }
\`\`\`

Last question: why did it do that? A container that ran well is about to be stopped.

? Is there a reason on record?

- [ ] Yes: the decision, with the values it saw
- [ ] No

Each rule that was weighed stands in the run with its facts. Here the container's hash in the spec was another than the one it was made with: somebody had edited its image.
`;export{e as default};
//# sourceMappingURL=debugging-a-pod-IZHMQ1To.js.map