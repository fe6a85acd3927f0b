import type { FastifyInstance, RouteOptions } from 'fastify';
import { ServiceError } from '../base/errors.ts';

/** The routes of the interface, by what is told of addresses. */
export interface KnownRoutes {
  /** Tells an address that is nowhere from one that takes other methods. */
  refusal(method: string, url: string): ServiceError;
  /** Whether an address stands for itself, and so is never an id in the pattern of another route: `/v1/images/actions` is no task. */
  isTakenElsewhere(url: string, pattern: string | undefined): boolean;
}

/** Remembers every route as it is made. */
export function rememberRoutes(app: FastifyInstance): KnownRoutes {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    // The preflight route of CORS answers any address and says nothing of it.
    if (route.url === '*') return;
    const methods = methodsOf.get(route.url) ?? new Set();
    methodsOf.set(route.url, methods);
    for (const method of [route.method].flat()) methods.add(method);
  });
  return {
    isTakenElsewhere: (url, pattern) => pattern !== pathOf(url) && methodsOf.has(pathOf(url)),
    refusal(method, url) {
      const path = pathOf(url);
      const allowed = new Set<string>();
      for (const [pattern, methods] of methodsOf) {
        if (methodsOf.has(path) ? pattern === path : matches(pattern, path))
          for (const known of methods) allowed.add(known);
      }
      if (allowed.size > 0 && !allowed.has(method)) {
        const list = [...allowed].sort().join(', ');
        return new ServiceError('method_not_allowed', `${path} does not take ${method}. It takes: ${list}.`, {
          headers: { allow: list },
        });
      }
      const hint = path.length > 1 && path.endsWith('/') ? ' Leave out the slash at the end.' : '';
      return new ServiceError(
        'not_found',
        `There is nothing at ${path.slice(0, 200)}.${hint} /docs lists the addresses.`,
      );
    },
  };
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const found = path.split('/');
  if (expected.at(-1) === '*') return found.length >= expected.length && samePlaces(expected.slice(0, -1), found);
  return found.length === expected.length && samePlaces(expected, found);
}

function samePlaces(expected: readonly string[], found: readonly string[]): boolean {
  return expected.every((segment, place) => (segment.startsWith(':') ? found[place] !== '' : segment === found[place]));
}
