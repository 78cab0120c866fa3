/** Declares the sources of pods. Upstream: kubetypes.ConfigSourceAnnotationKey values (pkg/kubelet/types, v1.36). */
export type PodSource = 'api' | 'file' | 'http';
