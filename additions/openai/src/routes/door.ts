import type { ServiceError } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import { type App, answerError, type HttpOptions, type KnownRoutes } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../mapping/dialect.ts';
import { refusalOf } from '../mapping/openai-error.ts';

/** An interface in another form, with the keys and orders of the service. */
interface Door {
  /** Writes a refusal in the form of the door. */
  readonly refuse: (
    error: ServiceError,
    request: FastifyRequest,
  ) => ReturnType<NonNullable<Parameters<typeof answerError>[4]>>;
  /** Returns the operation of the service that does the same as a route. @param path below the root of the door */
  readonly standsFor: (method: string, path: string) => string;
  /** Whether bodies have files in base64 without `data:`. Absent = no. */
  readonly takesBareBase64?: boolean;
  /** Adds the routes, below the root of the door. */
  readonly serve: (mount: App) => Promise<void> | void;
}

/** Returns a plugin that serves a door. */
export function openDoor(
  { http }: Pick<ServingKernel, 'http'>,
  options: HttpOptions,
  routes: KnownRoutes,
  { refuse, standsFor, takesBareBase64 = false, serve }: Door,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const mount = scope as unknown as App;
    mount.setErrorHandler((thrown, request, reply) =>
      answerError(options, thrown, request, reply, (error) => refuse(error, request)),
    );
    mount.setNotFoundHandler((request) => {
      throw routes.refusal(request.method, request.url);
    });
    mount.addHook('onRoute', (route) => {
      const [sent = ''] = [route.method].flat();
      const method = sent === 'HEAD' ? 'GET' : sent;
      const path = route.url.slice(route.prefix.length);
      route.config = { ...route.config, takesClientTokens: true, takesBareBase64, standsFor: standsFor(method, path) };
    });
    mount.addHook('onRequest', http.admit);
    await serve(mount);
  };
}

/** Resources of OpenAI's form whose orders are those of another resource of the service. */
const RESOURCES: Readonly<Record<string, string>> = { chat: 'images', responses: 'images' };

/** Returns how a door in OpenAI's form refuses, and the operations for which its routes stand. */
export function inOpenaiForm(dialect: Dialect): Pick<Door, 'refuse' | 'standsFor'> {
  return {
    refuse(refused) {
      const { headers, error } = refusalOf(dialect, refused);
      return { headers, body: dialect.errorBody(error) };
    },
    standsFor(method, path) {
      const [, first = ''] = path.split('/');
      const resource = RESOURCES[first] ?? (path.endsWith('/models') ? 'models' : first);
      return method === 'DELETE' ? `DELETE /v1/${resource}/{task_id}` : `${method} /v1/${resource}`;
    },
  };
}
