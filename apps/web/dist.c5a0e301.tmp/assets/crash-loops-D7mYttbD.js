var e=`---

id: crash-loops
title: 'Crash loops: reading the curve'
summary: How long the kubelet waits before it starts a container again, and when it forgets.
minutes: 8
---

## The first restart {#first-restart}

\`\`\`scene
scenario: crash-loop
at: 2
until: 4
look: { at: timeline, container: app }
options:
  - { happens: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
  - { never: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
\`\`\`

The process runs for two seconds and then ends with exit code 1. It is about to do so for the first time.

? When is it started again?

- [ ] At once
- [ ] After ten seconds

The first restart comes at once. But it _arms_ the back-off: from now on the kubelet remembers ten seconds for this container.

## The second {#second-restart}

\`\`\`scene
scenario: crash-loop
at: 4
until: 14
look: why
options:
  - { happens: { type: runtimeStateChanged, name: app, attempt: 2, to: running } }
  - { happens: { type: syncResult, action: StartContainer, error: CrashLoopBackOff } }
\`\`\`

It runs again, and will end again at about 4.8 seconds.

? What will have happened when 14 seconds have passed?

- [ ] It has been restarted again
- [ ] A sync wanted to, and said CrashLoopBackOff

Ten seconds have to pass from the moment it _ended_. **CrashLoopBackOff** is no state of the container: it is what a sync says that would like to start it and may not yet.

## The curve {#curve}

\`\`\`scene
scenario: crash-loop
at: 20
until: 110
look: timeline
options:
  - { happens: { type: runtimeStateChanged, name: app, to: running }, within: [20, 110], times: 2 }
  - { happens: { type: runtimeStateChanged, name: app, to: running }, within: [20, 110], times: { min: 3 } }
expect:
  - { happens: { type: backOff, kind: container, state: armed, seconds: 40 } }
  - { happens: { type: backOff, kind: container, state: armed, seconds: 80 } }
\`\`\`

Each wait is twice the one before: 10, 20, 40, 80, 160 seconds, and then always 300.

? How many restarts are there in the next 90 seconds?

- [ ] Two
- [ ] Three or more

The kubelet looks at a waiting pod only now and then, so that a restart may come some seconds after the wait is over: the curve tells the earliest moment.

## Forgetting {#forgetting}

\`\`\`scene
scenario: back-off-reset
at: 755
until: 765
look: { at: timeline, container: app }
options:
  - { happens: { type: backOff, kind: container, state: armed, seconds: 10 }, within: [755, 765] }
  - { happens: { type: backOff, kind: container, state: armed, seconds: 160 }, within: [755, 765] }
\`\`\`

This container failed four times, and the wait had grown to 80 seconds. Since then it has worked for eleven minutes. Now it fails once more.

? How long will the next wait be?

- [ ] 10 seconds: it begins anew
- [ ] 160 seconds: it goes on

After more than ten minutes, twice the longest wait, the kubelet forgets. So a program that fails once a day is always started again at once.
`;export{e as default};
//# sourceMappingURL=crash-loops-D7mYttbD.js.map