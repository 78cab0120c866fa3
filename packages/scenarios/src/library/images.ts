/** Images that do not come, or come late. */
import type { Scenario } from '../scenario.ts';

export const images: readonly Scenario[] = [
  {
    id: 'missing-image',
    category: 'images',
    title: { en: 'Missing image', zh: '镜像不存在' },
    summary: {
      en: 'No registry has the image. Each attempt fails, and the kubelet waits longer before the next.',
      zh: '任何仓库都没有这个镜像。每次尝试都会失败，kubelet 在下一次尝试之前等待更长时间。',
    },
    notice: [
      {
        en: 'ErrImagePull is an attempt that failed; ImagePullBackOff is the wait before the next.',
        zh: 'ErrImagePull 是一次失败的尝试；ImagePullBackOff 是下一次尝试之前的等待。',
      },
      { en: 'The sandbox stays: only the container’s start is tried again.', zh: '沙箱保持不变：只会重新尝试启动容器。' },
    ],
    manifest: `apiVersion: v1
kind: Pod
metadata:
  name: missing-image
spec:
  containers:
    - name: app
      image: registry.invalid/shop/web:1.0
`,
    duration: 120,
    profiles: ['v1.36', 'v1.20'],
    docker: { phase: 'Pending', container: { name: 'app', reason: 'ImagePullBackOff' } },
  },
];
