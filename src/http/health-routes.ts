import { ServiceError, sleep } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  Alive,
  adminSchema,
  ErrorAnswer,
  Health,
  plainAnswer,
  Ready,
  success,
} from '@darkroom-service/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { viewSuspension } from '../installation/suspension.ts';
import { requireAdminKey } from './authenticate.ts';
import type { App, HttpOptions } from './http-options.ts';

const nothing = closedObject({});
const tags = ['Health'];
const CAPABILITIES = ['orders', 'reads', 'files'] as const;
const ReadyQuery = closedObject({
  for: Type.Optional(
    Type.Enum([...CAPABILITIES], {
      description: 'one capability; without it the answer is 503 only when neither orders nor reads are possible',
    }),
  ),
});

const REFUSALS = {
  ready: 'The service cannot work now.',
  orders: 'The service cannot accept orders now.',
  reads: 'The service cannot answer reads now.',
  files: 'The service cannot store or deliver files now.',
} as const;

/**
 * Timeout of the check of an admin key, as long as a check: a database that hangs does not keep the answer from an
 * operator.
 */
const KEY_CHECK_MS = 1_500;
/** Checks that decide the status. The others name upstreams and processes. */
const DEPENDENCIES: ReadonlySet<string> = new Set([
  'database',
  'database writes',
  'storage',
  'temporary files',
  'spool',
]);
const REASON_KEPT = 'fails; the reason is in the log, at the metrics port, and here with an admin key';

/** Reports whether the service is alive, whether it can work, and its metrics. */
export function healthRoutes(app: App, options: HttpOptions): void {
  const { hold } = options;
  const requireAdmin = requireAdminKey(options);
  /** @throws ServiceError if the key is known not to be an administrator's */
  const isKnownAdmin = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const isRecalled = () => options.keyring.recall(request.headers.authorization)?.mode === 'admin';
    const patience = new AbortController();
    const checked = Promise.resolve(requireAdmin(request, reply)).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'service_unavailable')) throw error;
        return isRecalled();
      },
    );
    checked.catch(() => {});
    const late = sleep(KEY_CHECK_MS, { ref: false, signal: patience.signal }).then(isRecalled, () => false);
    return await Promise.race([checked, late]).finally(() => patience.abort());
  };

  app.get(
    '/healthz',
    { schema: { tags, security: [], querystring: nothing, response: { 200: refTo(Alive) } } },
    async () => ({ status: 'ok' as const }),
  );

  app.get<{ Querystring: Static<typeof ReadyQuery> }>(
    '/readyz',
    {
      schema: {
        tags,
        security: [],
        querystring: ReadyQuery,
        response: { 200: refTo(Ready), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      // Only operators may see the internal faults and the upstreams. A refusal tells everybody which dependency fails.
      // While the database is unavailable, a key that this process does not know cannot be looked up.
      const detailed = request.headers.authorization !== undefined;
      const isAdmin = detailed && (await isKnownAdmin(request, reply));
      const report = await options.readiness();
      const details = isAdmin
        ? report.checks
        : report.checks
            .filter(({ name }) => DEPENDENCIES.has(name))
            .map(({ name, ok }) => ({ name, ok, detail: ok ? 'works' : REASON_KEPT }));
      if (options.isLeaving()) {
        throw new ServiceError('shutting_down', 'The service is stopping.', { retryAfterSeconds: 5, details });
      }
      const { for: capability } = request.query;
      if (!report[capability ?? 'ready']) {
        throw new ServiceError('service_unavailable', REFUSALS[capability ?? 'ready'], {
          retryAfterSeconds: 5,
          details,
        });
      }
      return {
        status: 'ready' as const,
        ...(report.orders ? {} : { orders: false as const }),
        ...(hold.suspension === null ? {} : { service: isAdmin ? hold.view() : viewSuspension(hold.suspension) }),
        ...(detailed ? { checks: [...details] } : {}),
      };
    },
  );

  app.get(
    '/metrics',
    {
      onRequest: requireAdmin,
      schema: {
        tags,
        querystring: nothing,
        response: { 200: plainAnswer('Figures', ['text/plain']), ...ErrorAnswer },
      },
    },
    async (_request, reply) => {
      const text = await options.metrics.metrics();
      return reply.type(options.metrics.contentType).send(text);
    },
  );

  app.get('/admin/v1/health', { onRequest: requireAdmin, schema: adminSchema(Health) }, async () => {
    const report = await options.readiness({ probeEngines: true });
    return success({
      ...report,
      service: hold.view(),
      checks: [...report.checks],
    });
  });
}
