import type { FastifyInstance, RouteOptions } from 'fastify';
import { ServiceError } from '../base/errors.ts';

/** Remembers every route, to tell an address that is nowhere from one that takes other methods. */
export function rememberRoutes(app: FastifyInstance): {
  readonly refusal: (method: string, url: string) => ServiceError;
} {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    // The preflight route of CORS answers any address and says nothing of it.
    if (route.url === '*') return;
    const methods = methodsOf.get(route.url) ?? new Set();
    methodsOf.set(route.url, methods);
    for (const method of [route.method].flat()) methods.add(method);
  });
  return {
    refusal(method, url) {
      const path = url.split('?', 1)[0] ?? '';
      const allowed = new Set<string>();
      for (const [pattern, methods] of methodsOf) {
        if (matches(pattern, path)) for (const known of methods) allowed.add(known);
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

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const found = path.split('/');
  if (expected.at(-1) === '*') return found.length >= expected.length && samePlaces(expected.slice(0, -1), found);
  return found.length === expected.length && samePlaces(expected, found);
}

function samePlaces(expected: readonly string[], found: readonly string[]): boolean {
  return expected.every((segment, place) => (segment.startsWith(':') ? found[place] !== '' : segment === found[place]));
}
