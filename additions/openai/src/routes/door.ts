import { type App, answerError, type HttpOptions, type KnownRoutes } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance } from 'fastify';
import { refusalOf } from '../mapping/openai-error.ts';
import type { OpenaiHttp } from './openai-http.ts';

/** Resources of a door whose orders are those of another resource of the service. */
const RESOURCES: Readonly<Record<string, string>> = { chat: 'images', responses: 'images' };

/**
 * Returns a plugin that serves a door: its own shapes and errors, the keys and orders of the service.
 * @param serve adds the routes, below the root of the door
 */
export function openDoor(
  { dialect, kernel }: Pick<OpenaiHttp, 'dialect' | 'kernel'>,
  options: HttpOptions,
  routes: KnownRoutes,
  serve: (mount: App) => Promise<void>,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const mount = scope as unknown as App;
    mount.setErrorHandler((thrown, request, reply) =>
      answerError(options, thrown, request, reply, (refused) => {
        const { headers, error } = refusalOf(dialect, refused);
        return { headers, body: dialect.errorBody(error) };
      }),
    );
    mount.setNotFoundHandler((request) => {
      throw routes.refusal(request.method, request.url);
    });
    mount.addHook('onRoute', (route) => {
      const [method = ''] = [route.method].flat();
      const standsFor = operationOf(method, route.url.slice(route.prefix.length));
      route.config = { ...route.config, takesClientTokens: true, standsFor };
    });
    mount.addHook('onRequest', kernel.http.admit);
    await serve(mount);
  };
}

/** Returns the operation of the service that does the same. */
function operationOf(method: string, path: string): string {
  const [, first = ''] = path.split('/');
  const resource = RESOURCES[first] ?? (path.endsWith('/models') ? 'models' : first);
  if (method === 'DELETE') return `DELETE /v1/${resource}/{task_id}`;
  return `${method === 'HEAD' ? 'GET' : method} /v1/${resource}`;
}
