import { cutText, ServiceError } from '@darkroom-service/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** The routes of the API, for the errors about unknown paths and methods. */
export interface KnownRoutes {
  /** Returns the error for an unknown address, or for one that takes other methods. */
  refusal(method: string, url: string): ServiceError;
  /**
   * Whether an address has a route of its own, and so is never an id in the pattern of another route:
   * `/v1/images/actions` is no task.
   */
  isTakenElsewhere(url: string, pattern: string | undefined): boolean;
}

/**
 * Records every route when it is registered.
 * @param publicUrl the address that clients use
 * @param hintFor adds to a refusal what the caller may have meant
 */
export function rememberRoutes(
  app: FastifyInstance,
  publicUrl: string,
  hintFor: (path: string) => string | null,
): KnownRoutes {
  const methodsOf = new Map<string, Set<string>>();
  /** Patterns by their number of segments. */
  const patternsOf = new Map<number, Set<readonly string[]>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    // The preflight route of CORS answers any address and proves nothing about it.
    if (route.url === '*') return;
    const methods = methodsOf.get(route.url) ?? new Set();
    if (!methodsOf.has(route.url)) {
      const segments = route.url.split('/');
      patternsOf.set(segments.length, (patternsOf.get(segments.length) ?? new Set()).add(segments));
    }
    methodsOf.set(route.url, methods);
    for (const method of [route.method].flat()) methods.add(method);
  });
  function methodsOfLike(path: string): string[] {
    // No more segments than the longest pattern has, and one more to detect longer paths: a path may have thousands.
    const longest = Math.max(...patternsOf.keys());
    const found = path.split('/', longest + 1);
    const likely = [...patternsOf]
      .filter(([length]) => length <= found.length)
      .flatMap(([, patterns]) => [...patterns]);
    return likely
      .filter((pattern) => matches(pattern, found))
      .flatMap((pattern) => [...(methodsOf.get(pattern.join('/')) ?? [])]);
  }
  /** Returns a hint with the only address that a path with a wrong base URL can mean; empty if there is none. */
  function meantBy(method: string, path: string): string {
    for (const likely of likelyPaths(path)) {
      const [meant, ...others] = likely.filter((one) => one !== path && methodsAt(one).includes(method));
      if (meant !== undefined) return others.length === 0 ? ` Did you mean ${method} ${meant}?` : '';
    }
    return '';
  }
  /**
   * Returns a hint about a POST that may have been sent with http: clients follow the redirect to https with a GET.
   */
  function sentWithHttp(method: string, path: string, allowed: ReadonlySet<string>): string {
    if (method !== 'GET' || !allowed.has('POST') || !publicUrl.startsWith('https:')) return '';
    return ` A redirect from http to https turns a POST into a GET. Did you mean POST ${publicUrl}${cutText(path, 200)}?`;
  }
  function methodsAt(path: string): string[] {
    return [...(methodsOf.get(path) ?? methodsOfLike(path))];
  }
  return {
    isTakenElsewhere(url, pattern) {
      const path = pathOf(url);
      return path !== pattern && methodsOf.has(path);
    },
    refusal(method, url) {
      const path = pathOf(url);
      const allowed = new Set(methodsAt(path));
      const meant = `${meantBy(method, path)}${hintFor(path) ?? ''}`;
      if (allowed.size > 0 && !allowed.has(method)) {
        const list = [...allowed].sort().join(', ');
        return new ServiceError(
          'method_not_allowed',
          `${path} does not accept ${method}. Accepted methods: ${list}.${meant || sentWithHttp(method, path, allowed)}`,
          {
            headers: { allow: list },
          },
        );
      }
      const hint = path.length > 1 && path.endsWith('/') ? ' Remove the slash at the end.' : '';
      const guide = methodsOf.has('/docs') ? ' See /docs for all endpoints.' : '';
      return new ServiceError('not_found', `Nothing exists at ${cutText(path, 200)}.${hint}${meant}${guide}`);
    },
  };
}

const LONGEST_SLIP = 300;
const DOUBLED = /((?:\/[^/]+){1,2})\1(?=\/|$)/;

/**
 * Returns the likely meanings of a path with a wrong base, the likelier first: the path with single slashes and
 * segments and without the address of the console, then the same with another base.
 */
function likelyPaths(path: string): string[][] {
  if (!path.startsWith('/') || path.length > LONGEST_SLIP) return [];
  const clean = path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replace(DOUBLED, '$1')
    .replace(/^\/console(?=\/)/, '');
  const bare = clean.replace(/^(?:\/(?:openai|v1))+(?=\/)/, '');
  const bases = /^\/(?:v1\/)?openai\//.test(clean) ? ['/openai/v1'] : ['', '/v1', '/openai/v1'];
  return [[clean], bases.map((base) => `${base}${bare}`)];
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function matches(expected: readonly string[], found: readonly string[]): boolean {
  if (expected.at(-1) === '*') return found.length >= expected.length && sameSegments(expected.slice(0, -1), found);
  return found.length === expected.length && sameSegments(expected, found);
}

function sameSegments(expected: readonly string[], found: readonly string[]): boolean {
  return expected.every((segment, index) => (segment.startsWith(':') ? found[index] !== '' : segment === found[index]));
}
