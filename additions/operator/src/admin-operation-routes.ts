import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { cutText, type EngineView, ServiceError } from '@darkroom-service/contract';
import { closedObject, listOf, OPTIONAL_BODY, pageOf } from '@darkroom-service/contract/parts';
import {
  AdminEngine,
  AdminModel,
  adminAction,
  adminSchema,
  ClosedCircuit,
  EngineHour,
  Limit,
  Reconciliation,
  ReconciliationCause,
  Reloaded,
  Switched,
  success,
} from '@darkroom-service/contract/schemas';
import { type Checks, recordAct } from '@darkroom-service/darkroom/kernel';
import {
  type App,
  type HttpOptions,
  repeatableAct,
  type SwitchKind,
  type SwitchView,
} from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { ModeQuery } from './mode-query.ts';
import { reportModels } from './model-report.ts';
import { createHourReport } from './reports/hour-report.ts';
import { createRouteMeasures } from './reports/measured-routes.ts';
import { reportQueues } from './reports/queue-report.ts';
import { findReconciliation, listReconciliation, resolveReconciliation } from './reports/reconciliation.ts';
import { reportUnresolved } from './reports/reconciliation-causes.ts';

const After = Type.Optional(Type.String({ maxLength: 64, description: 'the last id of the page before' }));
const Pause = closedObject({ reason: Type.Optional(Type.String({ maxLength: 500 })) }, OPTIONAL_BODY);
const Resolution = closedObject({ resolution: Type.String({ minLength: 1, maxLength: 2000 }) });
const ResolutionOfSome = closedObject({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  ...Resolution.properties,
});
const ReconciliationQuery = closedObject({
  resolved: Type.Optional(Type.Enum(['true', 'false'])),
  mode: ModeQuery,
  engine: Type.Optional(Type.String({ maxLength: 64, description: 'the engine of the orders; default: all' })),
  limit: Limit,
  after: After,
});

/** Serves engines, models, the catalog and the entries to reconcile. */
export function adminOperationRoutes(
  admin: App,
  options: HttpOptions,
  checks: Pick<Checks, 'models' | 'routes' | 'isSold'>,
): void {
  const { services } = options;
  const { database } = services;
  const routes = createRouteMeasures(database.reports, () => services.clock.now());
  const hours = createHourReport(database.replica.reports.inTurn({ owner: null, isLong: true }), () =>
    services.clock.now(),
  );
  const slowBeginOf = (name: string): EngineView['slow_begin'] => {
    const begins = options.valves.beginning(name);
    return begins === null ? null : { at_once: begins.maxOpen, reason: begins.reason };
  };
  const engineNamed = (name: string) => options.engineNames.find((known) => known === name);

  admin.get('/admin/v1/engines/hours', { schema: adminSchema(listOf(EngineHour)) }, async () =>
    success({ items: [...(await hours())] }),
  );
  admin.get(
    '/admin/v1/engines',
    {
      schema: {
        ...adminSchema(listOf(AdminEngine)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => {
      const paused = (await options.valves.listPaused()).filter((entry) => entry.kind === 'engine');
      const queues = await reportQueues(
        database.read,
        { ...services.settings, now: services.clock.now() },
        request.query.mode ?? 'live',
      );
      const balances = await readBalances(database.read);
      // Orders may still wait for an engine that is not configured any more.
      const names = new Set([...options.engineNames, ...queues.map(({ engine }) => engine)]);
      return success({
        items: [...names].map(
          (name): EngineView => ({
            name,
            ...pauseOf(paused, name),
            circuit: options.valves.view(name),
            slow_begin: slowBeginOf(name),
            route_circuits: options.valves.viewRoutes(name),
            limits: options.limitsOf(name),
            balance: balances.get(name) ?? null,
            queues: queues.filter(({ engine }) => engine === name),
          }),
        ),
      });
    },
  );
  admin.get('/admin/v1/models', { schema: adminSchema(listOf(AdminModel)) }, async () =>
    success({ items: await reportModels(options, checks, await routes.measure()) }),
  );
  admin.post<{ Params: { name: string } }>(
    '/admin/v1/engines/:name/circuit/close',
    { schema: adminAction(ClosedCircuit) },
    async (request, reply) => {
      const name = nameOf('engine', engineNamed(request.params.name), request.params.name);
      await repeatableAct(options, request, reply, {
        make: (by) => options.valves.open(name, by),
        again: async () => {},
      });
      return success({ name, circuit: options.valves.view(name) });
    },
  );
  switchRoutes(admin, options, 'engine', engineNamed);
  switchRoutes(admin, options, 'model', (name) => services.catalog().find(name)?.model_id);

  admin.post('/admin/v1/catalog/reload', { schema: adminAction(Reloaded) }, async (request, reply) => {
    const view = () => ({ models: services.catalog().models.length, version: services.catalog().version });
    const reloaded = await repeatableAct(options, request, reply, {
      async make(by) {
        await by.binding.around('catalog', () => options.reloadCatalog());
        const detail = view();
        await database.write('record_reload', (trx) =>
          recordAct(trx, by, { act: 'catalog.reload', target: null, detail }),
        );
        return detail;
      },
      again: async () => view(),
    });
    return success(reloaded);
  });

  admin.get(
    '/admin/v1/reconciliation',
    {
      schema: {
        ...adminSchema(pageOf(Reconciliation)),
        querystring: ReconciliationQuery,
      },
    },
    async (request) => {
      const { resolved, mode = 'live', engine = null, limit = 20, after = null } = request.query;
      const query = { resolved: resolved === 'true', mode, engine, limit, after };
      const page = await listReconciliation(database.read, query);
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );
  admin.get(
    '/admin/v1/reconciliation/causes',
    {
      schema: {
        ...adminSchema(listOf(ReconciliationCause)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => success({ items: await reportUnresolved(database.read, request.query.mode ?? 'live') }),
  );
  admin.post<{ Params: { id: string }; Body: Static<typeof Resolution> }>(
    '/admin/v1/reconciliation/:id/resolve',
    { schema: { ...adminAction(Reconciliation), body: Resolution } },
    async (request, reply) => {
      const { params, body } = request;
      const [entry] = await repeatableAct(options, request, reply, {
        make: (by) => resolveReconciliation(database, by, [params.id], body.resolution),
        again: () => findReconciliation(database.read, [params.id]),
      });
      return success(entry!);
    },
  );
  admin.post<{ Body: Static<typeof ResolutionOfSome> }>(
    '/admin/v1/reconciliation/resolve',
    { schema: { ...adminAction(listOf(Reconciliation)), body: ResolutionOfSome } },
    async (request, reply) => {
      const { ids, resolution } = request.body;
      const items = await repeatableAct(options, request, reply, {
        make: (by) => resolveReconciliation(database, by, ids, resolution),
        again: () => findReconciliation(database.read, ids),
      });
      return success({ items });
    },
  );
}

/**
 * Adds the routes that pause and resume.
 * @param find returns the name as the switch stores it, undefined if there is no such object.
 */
function switchRoutes(
  admin: App,
  options: HttpOptions,
  kind: SwitchKind,
  find: (name: string) => string | undefined,
): void {
  const { valves } = options;
  admin.post<{ Params: { name: string }; Body: Static<typeof Pause> | undefined }>(
    `/admin/v1/${kind}s/:name/pause`,
    {
      schema: {
        ...adminAction(Switched),
        body: Pause,
      },
    },
    async (request, reply) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await repeatableAct(options, request, reply, {
        make: (by) => valves.pause(by, { kind, name, reason: request.body?.reason ?? null }),
        again: async () => {},
      });
      return success(await switched(name));
    },
  );
  admin.post<{ Params: { name: string } }>(
    `/admin/v1/${kind}s/:name/resume`,
    { schema: adminAction(Switched) },
    async (request, reply) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await repeatableAct(options, request, reply, {
        make: (by) => valves.resume(by, { kind, name }),
        again: async () => {},
      });
      return success(await switched(name));
    },
  );

  async function switched(name: string) {
    await valves.refresh();
    return { name, paused: valves.isPaused(kind, name) };
  }
}

function nameOf(kind: SwitchKind, found: string | undefined, sent: string): string {
  if (found === undefined) throw new ServiceError('not_found', `There is no ${kind} '${cutText(sent, 64)}'.`);
  return found;
}

function pauseOf(paused: readonly SwitchView[], name: string) {
  const entry = paused.find((candidate) => candidate.name === name);
  return { paused: entry !== undefined, paused_at: entry?.paused_at ?? null, reason: entry?.reason ?? null };
}
