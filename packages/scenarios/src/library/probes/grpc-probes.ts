/** Scenario: gRPC probes of a container that becomes unhealthy, one that becomes healthy, and one without gRPC. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, onlySimulated, podManifest, text } from '../authoring.ts';

export const grpcProbes: Scenario = {
  id: 'grpc-probes',
  category: 'probes',
  title: text('gRPC probes', 'gRPC 探针'),
  summary: text(
    'Three containers are probed with grpc.health.v1.Health/Check. app changes to NOT_SERVING after ten ' +
      'seconds and is restarted, orders is NOT_SERVING at first and then ready, and web speaks only HTTP.',
    '三个容器由 grpc.health.v1.Health/Check 探测：app 十秒后变为 NOT_SERVING 并被重启，orders 起初 NOT_SERVING 之后就绪，web 只会 HTTP。',
  ),
  notice: [
    text(
      'Only the answer SERVING is a success. For any other answer the event names it: responded with ' +
        '"NOT_SERVING".',
      '只有 SERVING 这个回答才算成功；事件会写出服务实际的回答：responded with "NOT_SERVING"。',
    ),
    text(
      'The probe of orders names a service. A server may answer differently for each service, and answers ' +
        'NotFound for an unknown one.',
      'orders 的探针指定了 service。服务器对每个 service 可以有不同的回答，对不认识的则回答 NotFound。',
    ),
    text(
      'web listens, but doesn’t speak gRPC, so the client tries to connect until its timeout. A port on ' +
        'which no process listens has the same result.',
      'web 在监听，但不是 gRPC：客户端会一直尝试连接直到超时。没有人监听的端口看起来完全一样。',
    ),
  ],
  manifest: podManifest(
    'grpc-probes',
    `
terminationGracePeriodSeconds: 3
containers:
  - name: app
    image: registry.k8s.io/e2e-test-images/agnhost:2.40
    args: [grpc-health-checking, --port=5000, --delay-unhealthy-sec=10]
    livenessProbe:
      grpc: { port: 5000 }
      periodSeconds: 2
      failureThreshold: 3
  - name: orders
    image: busybox:1.36
    command: [sh, -c, 'echo a gRPC server in the simulator only; exec sleep 3600']
    readinessProbe:
      grpc: { port: 9000, service: shop.Orders }
      periodSeconds: 3
  - name: web
    image: busybox:1.36
    command: [httpd, -f, -p, '80']
    readinessProbe:
      grpc: { port: 80 }
      periodSeconds: 5
`,
  ),
  scripts: {
    orders: 'listen=9000 grpc service=shop.Orders status=NOT_SERVING until=12s; listen=9000 grpc service=shop.Orders',
  },
  simulator: { images: ['busybox:1.36', 'registry.k8s.io/e2e-test-images/agnhost:2.40'] },
  duration: 45,
  profiles: bothProfiles,
  differs: text(
    'grpc probes exist since v1.23. The kubelet of v1.20 finds no handler in the probe: each attempt is ' +
      'an error, which neither restarts the container nor makes it ready. The API server of v1.20 would ' +
      'have dropped the field and rejected the pod: “must specify a handler type”. This node’s API server ' +
      'is the same for both releases.',
    'gRPC 探针从 v1.23 开始才有。v1.20 的 kubelet 在探针里找不到处理方式：每次尝试都是错误，既不会重启也不会就绪。v1.20 的 API 服务器会丢弃该字段并拒绝 Pod：“must ' +
      'specify a handler type”。本节点的 API 服务器对两者相同。',
  ),
  docker: onlySimulated(
    'It needs images with gRPC servers, and one whose health changes at an instant. The kubelet’s own client ' +
      'has its test on Docker.',
    '它需要带有 gRPC 服务器的镜像，其中一个的健康状态要在指定时刻变化。kubelet 自己的客户端在 Docker 上另有测试。',
  ),
};
