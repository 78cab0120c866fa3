/** Lists the points and rules of a node with their source locations. */
import type { PointInfo, PointsResult, SourceLocation } from '@podscope/protocol';
import type { Point, Span } from '@podscope/trace';
import { isLiteral, matchesWildcard } from './breakpoints/wildcard.ts';
import { knownVariables } from './inspect/known-variables.ts';
import { pointSources } from './point-sources.generated.ts';
import type { PointSources } from './point-sources.ts';

/** All points of a node. */
export class PointCatalog {
  readonly #points: ReadonlyMap<string, Point>;
  readonly #sources: PointSources;
  readonly #refusal: (id: string) => string | undefined;

  /** @param refusal returns the reason why this node can't have a point at a place */
  constructor(
    points: readonly Point[],
    sources: PointSources = pointSources,
    refusal: (id: string) => string | undefined = () => undefined,
  ) {
    this.#points = new Map(points.map((point) => [point.id, point]));
    this.#sources = sources;
    this.#refusal = refusal;
  }

  /** Returns the reason why no point matches a pattern. */
  missing(pattern: string): string {
    return this.#refusal(pattern) ?? `this node has no point ${pattern}`;
  }

  /** Returns all points and rules for display. */
  list(): PointsResult {
    const points = [...this.#points.values()].map(
      ({ id, kind, title, description, step, upstream }): PointInfo => ({
        id,
        kind,
        title,
        description,
        step,
        upstream,
        source: this.#sources.points[id]?.[0],
      }),
    );
    const decisions = Object.entries(this.#sources.decisions).map(([rule, source]) => ({ rule, source }));
    return { points, decisions, variables: [...knownVariables] };
  }

  title(id: string): string {
    return this.#points.get(id)?.title ?? id;
  }

  /** Returns the points whose id matches a pattern. */
  matching(pattern: string): readonly Point[] {
    if (isLiteral(pattern)) {
      const point = this.#points.get(pattern);
      return point ? [point] : [];
    }
    return [...this.#points.values()].filter(({ id }) => matchesWildcard(pattern, id));
  }

  /**
   * Returns the points of a function that is named without its package, in the order of the list: `SyncPod`, or with
   * its receiver, `Kubelet.SyncPod`. If the function has no point of its own, returns the steps that call it.
   */
  ofFunction(name: string): readonly Point[] {
    const points = [...this.#points.values()];
    const suffix = `.${name}`;
    const own = points.filter(({ id, upstream }) => upstream === name || id.endsWith(suffix));
    return own.length > 0 ? own : points.filter(({ upstream }) => upstream?.endsWith(suffix));
  }

  hasKind(kind: string): boolean {
    return [...this.#points.values()].some((point) => point.kind === kind);
  }

  /** Returns true if the pattern matches a rule. Rule names may contain wildcards for parts known only at run time. */
  hasRule(pattern: string): boolean {
    return Object.keys(this.#sources.decisions).some(
      (rule) => matchesWildcard(pattern, rule) || matchesWildcard(rule, pattern),
    );
  }

  /**
   * Returns the location of a span. If a call has several locations, returns the one in the same file as its parent
   * span.
   */
  locate({ point, parent }: Pick<Span, 'point' | 'parent'>): SourceLocation | undefined {
    const places = this.#sources.points[point.id];
    if (!places || places.length < 2) return places?.[0];
    for (let around = parent; around; around = around.parent) {
      const paths = this.#sources.points[around.point.id]?.map(({ path }) => path) ?? [];
      const near = places.find(({ path }) => paths.includes(path));
      if (near) return near;
    }
    return places[0];
  }

  /** Returns the first location of a point or rule. */
  locateFirst(pattern: { readonly point?: string; readonly decision?: string }): SourceLocation | undefined {
    if (pattern.decision !== undefined) return this.#sources.decisions[pattern.decision];
    return pattern.point === undefined ? undefined : this.#sources.points[pattern.point]?.[0];
  }

  /**
   * Returns the point or rule at a line, or the next one after it in the file.
   * @param path path from the root of the repository, possibly with directories before it
   */
  atLine(
    path: string,
    line: number,
  ): { readonly point?: string; readonly decision?: string; readonly source: SourceLocation } | undefined {
    const known = path.replaceAll('\\', '/');
    const isHere = (source: SourceLocation): boolean =>
      source.line >= line && (known === source.path || known.endsWith(`/${source.path}`));
    const candidates = [
      ...Object.entries(this.#sources.points).flatMap(([point, places]) =>
        places.filter(isHere).map((source) => ({ point, source })),
      ),
      ...Object.entries(this.#sources.decisions).flatMap(([decision, source]) =>
        isHere(source) ? [{ decision, source }] : [],
      ),
    ];
    return candidates.toSorted((a, b) => a.source.line - b.source.line)[0];
  }

  /** Returns the lines of a file that can have a breakpoint. */
  linesOf(path: string): readonly number[] {
    const lines = new Set<number>();
    for (let next = this.atLine(path, 1); next; next = this.atLine(path, next.source.line + 1))
      lines.add(next.source.line);
    return [...lines];
  }
}
