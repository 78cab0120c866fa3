/** Defines the terms that Podscope's documentation uses in a sense of its own, in both languages. */

interface TermTexts {
  readonly name: string;
  readonly text: string;
}

/** The terms in the order of the English names. Terms of Kubernetes are in the glossary of the lessons. */
export const podscopeTerms: readonly { readonly en: TermTexts; readonly 'zh-CN': TermTexts }[] = [
  {
    en: {
      name: 'act',
      text:
        'An action at a set time of a scenario or exercise, for example an edit of the pod or a ' +
        'restart of the kubelet.',
    },
    'zh-CN': { name: '动作', text: '场景或练习在规定时刻执行的操作，例如编辑 Pod 或重启 kubelet。' },
  },
  {
    en: {
      name: 'claim',
      text:
        'A statement of a lesson about a run, for example that a container restarts within 30 s. ' +
        'Podscope checks it against the run.',
    },
    'zh-CN': {
      name: '断言',
      text: '课程中关于一次运行的陈述，例如某个容器会在 30 秒内重启。Podscope 用这次运行来检验它。',
    },
  },
  {
    en: {
      name: 'decision',
      text:
        'The outcome that the kubelet’s code gets from a rule, for example that a container needs ' +
        'a restart. Podscope records it with the facts that the rule used.',
    },
    'zh-CN': {
      name: '决定',
      text: 'kubelet 的代码按一条规则得出的结果，例如某个容器需要重启。Podscope 会连同规则所用的事实一起记录。',
    },
  },
  {
    en: {
      name: 'engine',
      text: 'Podscope’s reimplementation of the kubelet, from the sync loop to CRI. It is not Docker Engine.',
    },
    'zh-CN': { name: '引擎', text: 'Podscope 对 kubelet 的重新实现，从同步循环到 CRI。它不是 Docker Engine。' },
  },
  {
    en: {
      name: 'fault plan',
      text: 'A named list of faults. Each fault lets calls at a point fail, wait or return another result.',
    },
    'zh-CN': { name: '故障计划', text: '一组有名称的故障。每个故障让某个点上的调用失败、等待或返回别的结果。' },
  },
  {
    en: {
      name: 'keyframe',
      text:
        'The state of a run at one event, kept in memory. A view of the past starts from the ' +
        'nearest earlier keyframe.',
    },
    'zh-CN': {
      name: '关键帧',
      text: '一次运行在某个事件处的状态，保存在内存中。查看过去的时刻时，从之前最近的关键帧开始计算。',
    },
  },
  {
    en: {
      name: 'point',
      text:
        'A named place in the engine where a thread can stop, for example cri.StartContainer. ' +
        'Each span belongs to a point.',
    },
    'zh-CN': {
      name: '点',
      text: '引擎中有名称的位置，线程可以停在这里，例如 cri.StartContainer。每个跨度都属于一个点。',
    },
  },
  {
    en: {
      name: 'profile',
      text: 'The kubelet release whose behavior the engine follows: v1.36 or v1.20.',
    },
    'zh-CN': { name: '配置档', text: '引擎所遵循的 kubelet 版本：v1.36 或 v1.20。' },
  },
  {
    en: {
      name: 'relay',
      text:
        'The process of podscope observe between a genuine kubelet and its runtime. It forwards ' +
        'each CRI call and can stop it.',
    },
    'zh-CN': {
      name: '中继',
      text: 'podscope observe 的进程，位于真正的 kubelet 与其运行时之间。它转发每个 CRI 调用，并可以让调用停下。',
    },
  },
  {
    en: {
      name: 'rule',
      text:
        'One question that the kubelet’s code asks before it acts, for example whether the ' +
        'sandbox is ready. Its answer is a decision.',
    },
    'zh-CN': { name: '规则', text: 'kubelet 的代码在行动之前提出的一个问题，例如沙箱是否就绪。它的答案就是一个决定。' },
  },
  {
    en: {
      name: 'run',
      text:
        'All events of a node in order, from the start of the server or page to its end. A run ' +
        'can be saved and opened again.',
    },
    'zh-CN': {
      name: '运行',
      text: '一个节点从服务器或页面启动到结束的全部事件，按顺序排列。运行可以保存，也可以再次打开。',
    },
  },
  {
    en: {
      name: 'shadow engine',
      text:
        'Podscope’s engine when it computes each sync of a genuine kubelet again, and compares ' +
        'its own calls with the observed ones.',
    },
    'zh-CN': {
      name: '影子引擎',
      text: 'Podscope 的引擎：对真正的 kubelet 的每次同步重新计算，并把自己的调用与观察到的调用比较。',
    },
  },
  {
    en: {
      name: 'span',
      text:
        'One piece of work with a start and an end, for example a CRI call or a step. Spans ' +
        'contain other spans, as in OpenTelemetry.',
    },
    'zh-CN': {
      name: '跨度',
      text: '一段有开始和结束的工作，例如一个 CRI 调用或一个步骤。与 OpenTelemetry 一样，跨度可以包含其他跨度。',
    },
  },
  {
    en: {
      name: 'thread',
      text:
        'Work that stops and continues on its own: the worker of one pod, or a loop of the ' +
        'kubelet such as the PLEG.',
    },
    'zh-CN': { name: '线程', text: '可以单独停下和继续的工作：一个 Pod 的 worker，或 kubelet 的一个循环，例如 PLEG。' },
  },
];
