import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import type { CatalogRoute, MediaReference, Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Engine, Order, OrderMedia } from '@darkroom-service/engines';
import { mapParameters } from '@darkroom-service/engines/adapters';
import {
  type FakeUpstream,
  type HarnessTools,
  inProcessPictures,
  smallPicture,
} from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../src/base/log.ts';
import { loadShippedCatalog } from '../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../src/catalog/resolve-request.ts';
import { unsupportedFields } from '../../src/catalog/route-coverage.ts';

export interface RoutesHarness {
  openFake(): Promise<FakeUpstream>;
  openEngine(fake: FakeUpstream, tools: HarnessTools & { readonly key: string }): Engine;
  /** The upstream models that no map says yet, each with the reason. */
  readonly unsaid?: Readonly<Record<string, string>>;
}

type Body = Readonly<Record<string, unknown>>;

const TYPES = { image: 'image/png', video: 'video/mp4', audio: 'audio/mpeg' } as const;

/**
 * Every shipped route of the engine is ordered by at the defaults, at each value and limit of each parameter, and with
 * each medium alone and as many of it as may be sent: the fake, as strict as its upstream, must take them all, and
 * every rule of the map must have spoken.
 */
export async function shippedRoutes(engineName: string, harness: RoutesHarness): Promise<void> {
  const { models } = await loadShippedCatalog();
  test(`every route to ${engineName} can express its orders, except known ones with a reason`, () => {
    const mute = models
      .flatMap(({ routes }) => routes)
      .filter((route) => route.engine === engineName && route.parameters === undefined);
    assert.deepEqual(mute.map((route) => route.model).sort(), Object.keys(harness.unsaid ?? {}).sort());
  });
  for (const model of models) {
    for (const [index, route] of model.routes.entries()) {
      // Where the map is empty, the engine has the words itself.
      if (route.engine !== engineName || Object.keys(route.parameters ?? {}).length === 0) continue;
      test(`${route.model} takes whatever ${model.model_id} may order by its route ${index}`, async (t) => {
        const fake = await harness.openFake();
        t.after(() => fake.stop());
        const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
        t.after(close);
        const tools = {
          clock: systemClock,
          log: createLog('silent'),
          fetch,
          pictures: inProcessPictures,
          key: fake.key,
        };
        const engine = harness.openEngine(fake, tools);
        const said = new Set<string>();
        let orders = 0;
        for (const body of bodiesOf(model, route)) {
          const request = requestOf(model, route, body);
          if (request === null) continue;
          orders++;
          assert.deepEqual(lostMedia(request, route), [], JSON.stringify(body).slice(0, 300));
          const order = orderOf(request, route, `${model.model_id}-${index}-${orders}`);
          const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
          await assert.doesNotReject(engine.start(order, context), JSON.stringify(body).slice(0, 300));
          for (const [name, value] of Object.entries(request.values)) if (value !== null) said.add(name);
        }
        assert.ok(orders >= 2, `${orders} orders`);
        const parameters = Object.keys(route.parameters ?? {}).filter((name) => name in model.parameters);
        assert.deepEqual(
          parameters.filter((name) => !said.has(name)),
          [],
          'fields that no order could say',
        );
      });
    }
  }
}

/** What some values need beside them. */
const COMPANIONS: readonly Body[] = [{}, { output_format: 'jpeg' }, { duration: 8 }];
/** As many shots of a second each as there may be stand for the prompt. */
const SHOTS_ALONE = { seconds: { duration: 6 }, words: { prompt: null } };

/**
 * A body beside each of what it may need, of what the model demands of some, and beside the settings that the route is
 * for.
 */
function wordings(model: Model, route: CatalogRoute, body: Body): Body[] {
  const named = (conditions: Body): Body =>
    Object.fromEntries(
      Object.entries(conditions).flatMap(([name, condition]) => {
        const schema = (model.parameters as Readonly<Record<string, Body>>)[name];
        const [value] = [condition].flat();
        if (schema === undefined) return [];
        if (typeof value !== 'object') return [[name, value]];
        const isSent = value !== null && 'present' in value && value.present === true;
        return isSent && !isMedium(schema) ? [[name, valuesOf(name, schema)[0]]] : [];
      }),
    );
  const own = named(route.when ?? {});
  const demands = model.constraints.map(({ then }) => named(then));
  return [
    ...[...COMPANIONS, ...demands].map((companion) => ({ ...own, ...companion, ...body })),
    { ...own, ...SHOTS_ALONE.seconds, ...body, ...SHOTS_ALONE.words },
    { ...own, ...body, prompt: null },
  ];
}

/** Null where the model or the route does not take it, whatever it is worded like. */
function requestOf(model: Model, route: CatalogRoute, body: Body): ResolvedRequest | null {
  for (const { prompt, ...others } of wordings(model, route, body)) {
    const wording = 'prompt' in model.parameters ? { ...others, prompt } : others;
    const found = resolveRequest(model, wording as never, { purpose: 'create' });
    if (found.ok && unsupportedFields(route, model, found.request).length === 0) return found.request;
  }
  return null;
}

/** Each value of each setting, with no medium, with each alone, and with each two. */
function bodiesOf(model: Model, route: CatalogRoute): Body[] {
  const { prompt: _, ...others } = model.parameters as Readonly<Record<string, Body>>;
  const media: Body[][] = [];
  const settings: Body[] = [{}, { prompt: longestPrompt(model) }, { prompt: null }];
  for (const [name, schema] of Object.entries(others)) {
    const { max } = (route.when?.[`${name}_count`] ?? {}) as { readonly max?: number };
    const bounded = max === undefined ? [] : valuesOf(name, { ...schema, maxItems: max });
    const sent = [...valuesOf(name, schema), ...bounded].map((value) => ({ [name]: value }));
    if (isMedium(schema)) media.push(sent);
    else settings.push(...sent);
  }
  const pairs = media.flatMap((one, at) => media.slice(at + 1).map((other): Body => ({ ...one[0], ...other[0] })));
  return [{}, ...media.flat(), ...pairs].flatMap((sent) =>
    settings.map((setting) => ({ prompt: 'a fox in the snow', ...sent, ...setting })),
  );
}

/** As long as it may be, where that is told in characters. */
function longestPrompt({ limits }: Model): string {
  const { max = 1, unit } = limits.prompt ?? {};
  return 'a'.repeat(unit === 'characters' ? max : 1);
}

function isMedium(schema: Body): boolean {
  return JSON.stringify(schema).includes('"x-media"');
}

function valuesOf(name: string, schema: Body): unknown[] {
  const { type, minimum, maximum, maxItems, minItems, items } = schema as Record<string, never>;
  const options = schema.enum as unknown[] | undefined;
  if (options !== undefined) return options;
  if (type === 'boolean') return [true, false];
  if (type === 'integer' || type === 'number') {
    return [minimum, maximum].filter((value) => value !== undefined);
  }
  const together = schema.prefixItems as Body[] | undefined;
  if (together !== undefined) return [together.map((item, at) => valuesOf(`${name}-${at}`, item)[0])];
  if (type === 'object') return [{ scene: 'a fox in the snow' }];
  if (type === 'array') {
    return [minItems ?? 1, maxItems ?? 2].map((length) => Array.from({ length }, (_, at) => itemOf(name, items, at)));
  }
  if (isMedium(schema)) return [`https://example.com/${name}.png`];
  if (name === 'size') return ['1600x1200', '2560x1440'];
  return [String(schema.pattern).startsWith('^http') ? 'https://example.com/page' : 'ink'];
}

function itemOf(name: string, items: Body | undefined, at: number): unknown {
  const properties = items?.properties as Readonly<Record<string, Body>> | undefined;
  if (properties === undefined) {
    if (items?.type === 'array') return valuesOf(`${name}-${at}`, items)[0];
    if (isMedium(items ?? {})) return `https://example.com/${name}-${at}.png`;
    return items?.type === 'integer' ? Number(items.minimum ?? 0) + at : `${name}-${at}`;
  }
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [field, valuesOf(`${name}-${at}-${field}`, schema)[0]]),
  );
}

/** The media that the map does not say exactly once. */
function lostMedia(request: ResolvedRequest, { parameters = {}, fixed = {} }: CatalogRoute): string[] {
  const said = JSON.stringify(mapParameters(request, { parameters, fixed: fixed as Order['route']['fixed'] }));
  return request.media.map(({ source }) => source).filter((source) => said.split(source).length !== 2);
}

/** An order as the runner would hand it to the engine of this route; its media are small pictures. */
export function orderOf(request: ResolvedRequest, route: CatalogRoute, taskId: string): Order {
  const { engine, model = null, parameters = null, fixed = {} } = route;
  return {
    taskId,
    mode: 'live',
    request,
    route: { engine, model, parameters, fixed: fixed as Order['route']['fixed'] },
    simulate: null,
    testMark: false,
    media: request.media.map(mediumOf),
    parent: null,
  };
}

function mediumOf({ field, index, kind, source }: MediaReference): OrderMedia {
  return {
    field,
    index,
    kind,
    contentType: TYPES[kind],
    bytes: 500,
    width: 48,
    height: 32,
    durationSeconds: kind === 'image' ? null : 3,
    open: async () => Readable.from([await smallPicture]),
    url: source,
  };
}
