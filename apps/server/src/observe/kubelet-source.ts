/**
 * Reads `/pods`, `/configz` and the version of a genuine kubelet. It authenticates with a token or a client
 * certificate, or uses the read-only port.
 */
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { errorMessage, parseGoDuration } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { isPod, type Observer, type ProbeCount } from '@podscope/observer';
import { z } from 'zod';

export interface KubeletSourceOptions {
  /** The address of the kubelet, such as `https://127.0.0.1:10250` or `http://127.0.0.1:10255`. */
  readonly url: string;
  /** The file with a token. It is read before each request, because tokens are rotated. */
  readonly tokenFile?: string | undefined;
  /** Files of a client certificate and its key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The file of the authority that signed the kubelet's certificate. Without one, the certificate isn't verified. */
  readonly caFile?: string | undefined;
  readonly notify: (message: string) => void;
  /** The delay between two requests, in milliseconds. Default: 500. */
  readonly every?: number;
}

/** Maximum time for an answer of the kubelet, in milliseconds. */
const timeout = 5_000;
/**
 * Maximum time for the attempts of probes, in milliseconds. A sync is judged at the latest 3 s after its end, and by
 * then the observer must have the spec from the answer of `/pods`, which waits for these attempts.
 */
const probesTimeout = 1_000;
const configEvery = 60_000;
/** Matches the metric that contains the kubelet's version. */
const buildInfo = /^kubernetes_build_info\{[^}]*\bgit_version="([^"]+)"/mu;

/** Matches the attempts of a probe in the metrics of probes. */
const probeTotal = /^prober_probe_total\{([^}]*)\} (\S+)/gmu;
const label = /(\w+)="([^"]*)"/gu;

/** Returns the attempts of each probe in an answer of `/metrics/probes`. Upstream: ProberResults (v1.36 and v1.20). */
export function probeCountsIn(metrics: string): readonly ProbeCount[] {
  const counts = new Map<string, ProbeCount>();
  for (const [, labels = '', value] of metrics.matchAll(probeTotal)) {
    const of = Object.fromEntries([...labels.matchAll(label)].map(([, name, text]) => [name, text]));
    const probe = probeKind.safeParse(of['probe_type']?.toLowerCase());
    const { pod_uid: uid, container, result } = of;
    if (!probe.success || uid === undefined || container === undefined) continue;
    const key = [uid, container, probe.data].join('/');
    const { successful, failed } = counts.get(key) ?? { successful: 0, failed: 0 };
    counts.set(key, {
      probe: probe.data,
      uid,
      container,
      successful: result === 'successful' ? Number(value) : successful,
      failed: result === 'failed' ? Number(value) : failed,
    });
  }
  return [...counts.values()];
}

/** Returns true if a pod has a probe whose results no CRI call shows. */
const hasUnseenProbe = ({ spec }: Pod): boolean =>
  [...(spec.initContainers ?? []), ...spec.containers].some(({ livenessProbe, startupProbe }) =>
    [livenessProbe, startupProbe].some((probe) => probe && !probe.exec),
  );

const probeKind = z.enum(['startup', 'readiness', 'liveness']);
const podList = z.object({ items: z.array(z.record(z.string(), z.unknown())).nullish() });
const configz = z.object({
  kubeletconfig: z
    .object({
      featureGates: z.record(z.string(), z.boolean()).nullish(),
      crashLoopBackOff: z.object({ maxContainerRestartPeriod: z.string().nullish() }).loose().nullish(),
      serializeImagePulls: z.boolean().nullish(),
      maxParallelImagePulls: z.number().nullish(),
    })
    .loose(),
});

/** Polls a kubelet and passes its answers to an observer. */
export class KubeletSource {
  readonly #options: KubeletSourceOptions;
  readonly #observer: Observer;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #configAt = 0;
  /** True if a pod of the newest answer of /pods has a probe whose results no CRI call shows. */
  #hasUnseenProbes = false;
  /** The time from which on the attempts of probes are read. */
  #probesAfter = 0;
  #problem: string | undefined;

  constructor(observer: Observer, options: KubeletSourceOptions) {
    this.#observer = observer;
    this.#options = options;
    this.#again(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #again(delay: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#ask(), delay);
    this.#timer.unref();
  }

  async #ask(): Promise<void> {
    try {
      // The attempts of probes come first, because a sync is judged as soon as an answer of /pods has its spec.
      const answered = this.#get('/pods').then((body) => ({ t: Date.now(), body }));
      const [{ t, body }] = await Promise.all([answered, this.#hasUnseenProbes && this.#readProbes()]);
      const { items } = podList.parse(JSON.parse(body));
      // The observer gets the time of the answer. The answer contains the spec of every sync that ended before the
      // request was sent.
      const found: readonly unknown[] = items ?? [];
      const pods = found.filter(isPod);
      this.#hasUnseenProbes = pods.some(hasUnseenProbe);
      this.#observer.pods({ t, pods });
      if (Date.now() - this.#configAt > configEvery) {
        await this.#readConfig();
        await this.#readVersion();
      }
      if (this.#problem !== undefined) this.#options.notify(`${this.#options.url} answers now`);
      this.#problem = undefined;
    } catch (error) {
      if (this.#isStopped) return;
      const message = errorMessage(error);
      if (this.#problem !== message) this.#options.notify(`${this.#options.url}: ${message}`);
      this.#problem = message;
    } finally {
      this.#again(this.#options.every ?? 500);
    }
  }

  /**
   * Reads the attempts of probes. After a failure, waits a minute, because a token may lack the permission for it, or
   * the kubelet may be slow.
   */
  async #readProbes(): Promise<void> {
    if (Date.now() < this.#probesAfter) return;
    // The answer has every attempt before the request, and may lack a later one.
    const asked = Date.now();
    const metrics = await this.#get('/metrics/probes', probesTimeout).catch(() => undefined);
    if (metrics === undefined) this.#probesAfter = Date.now() + configEvery;
    else this.#observer.probeCounts(asked, probeCountsIn(metrics));
  }

  async #readConfig(): Promise<void> {
    this.#configAt = Date.now();
    let body: string;
    try {
      body = await this.#get('/configz');
    } catch {
      // Ignore the failure, because the read-only port has no /configz, and because a token may lack the permission for
      // it.
      return;
    }
    const { kubeletconfig } = configz.parse(JSON.parse(body));
    const { serializeImagePulls, maxParallelImagePulls } = kubeletconfig;
    const period = kubeletconfig.crashLoopBackOff?.maxContainerRestartPeriod;
    const maxContainerRestartPeriod = period ? parseGoDuration(period) : undefined;
    this.#observer.learn(
      {
        featureGates: kubeletconfig.featureGates ?? {},
        serializeImagePulls: serializeImagePulls !== false || maxParallelImagePulls === 1,
        ...(maxContainerRestartPeriod === undefined ? {} : { maxContainerRestartPeriod }),
      },
      'configz',
    );
  }

  /** Reads the kubelet's version from its metrics, which the read-only port also serves. */
  async #readVersion(): Promise<void> {
    const metrics = await this.#get('/metrics').catch(() => '');
    const version = buildInfo.exec(metrics)?.[1];
    if (version !== undefined) this.#observer.learn({ version });
  }

  async #get(path: string, within = timeout): Promise<string> {
    const { url, tokenFile, certFile, keyFile, caFile } = this.#options;
    const target = new URL(path, url);
    const read = async (file: string | undefined): Promise<string | undefined> =>
      file === undefined ? undefined : readFile(file, 'utf8');
    const [token, cert, key, ca] = await Promise.all([tokenFile, certFile, keyFile, caFile].map(read));
    const options: RequestOptions = {
      method: 'GET',
      headers: { accept: 'application/json', ...(token ? { authorization: `Bearer ${token.trim()}` } : {}) },
      // Without a CA file, don't verify the certificate, because by default the kubelet signs it itself.
      ...(target.protocol === 'https:' ? { cert, key, ca, rejectUnauthorized: ca !== undefined } : {}),
    };
    return new Promise((resolve, reject) => {
      // A timeout of the socket would start again with each part of the answer.
      const timer = setTimeout(() => {
        reject(new Error(`no answer in ${within / 1000} s`));
        request.destroy();
      }, within);
      const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, (response) => {
        text(response).then((body) => {
          if (response.statusCode === 200) resolve(body);
          else reject(new Error(`${path} answers ${response.statusCode ?? 'nothing'}`));
        }, reject);
      });
      request.on('error', reject);
      request.on('close', () => clearTimeout(timer));
      request.end();
    });
  }
}
