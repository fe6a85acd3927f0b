import { ERROR_TABLE } from '@darkroom-service/contract';
import swagger from '@fastify/swagger';
import { mapInSlices } from '../../base/map-in-slices.ts';
import { answerPacked } from '../bodies/packed.ts';
import type { App, HttpAddition, RouteTools } from '../http-options.ts';
import { completeDocument } from './complete-document.ts';
import { COMPONENTS } from './components.ts';
import type { OpenApiDocument } from './openapi-document.ts';

const INTERFACE_VERSION = '1.0.0';
const SECTIONS = [
  ['Images', 'Orders of images, and follow-up actions on them.'],
  ['Videos', 'Orders of videos.'],
  ['Batches', 'Many orders in one request.'],
  ['Models', 'The models that can be ordered, and prices.'],
  ['Files', 'Uploads to use in orders, and downloads of outputs.'],
  ['Account', 'The balance, the limits and the usage of your key.'],
  ['End users', 'Limits and spending of your own customers.'],
  ['Webhooks', 'Notifications when tasks become final.'],
  ['Admin', 'For operators: accounts, keys, engines, models, tasks.'],
  ['Health', 'For monitoring.'],
] as const;

/** The document is made in portions: at once it would hold up all requests for an eighth of a second. */
const PORTIONS = 4;
const portionName = (portion: number) => `openapi_${portion}`;

/**
 * Collects the schemas of all routes that are registered after it.
 * @returns the function that makes the document when it is first asked for, and lets other work run meanwhile
 */
export async function collectSchemas(
  app: App,
  options: { readonly publicUrl: string; readonly additions: readonly HttpAddition[] },
): Promise<() => Promise<OpenApiDocument>> {
  const { additions } = options;
  const components = additions.flatMap((addition) => addition.components ?? []);
  const sections = additions.flatMap(({ section }) => (section === undefined ? [] : [section]));
  for (const schema of [...COMPONENTS, ...components]) app.addSchema(schema);
  const openapi = {
    openapi: '3.1.0',
    info: {
      title: 'Darkroom API',
      version: INTERFACE_VERSION,
      description: description(),
      contact: { name: 'The operator of this service', url: options.publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl, description: 'This service.' }],
    tags: [...SECTIONS, ...sections].map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: dk_live_… or dk_test_…; dk_admin_… for the operations of operators.',
        },
      },
    },
    security: [{ bearer: [] }],
  } as const;
  let described = 0;
  app.addHook('onRoute', ({ method, schema }) => {
    if (method !== 'HEAD' && schema?.hide !== true) described++;
  });
  for (let portion = 0; portion < PORTIONS; portion++) {
    let seen = 0;
    await app.register(swagger, {
      decorator: portionName(portion),
      openapi: structuredClone(openapi) as never,
      refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
      transform({ schema, url }) {
        const isIn = schema?.hide !== true && Math.floor((seen++ * PORTIONS) / described) === portion;
        return { schema: isIn ? schema : { hide: true }, url: url.replace('*', ':file') };
      },
    });
  }
  let document: Promise<OpenApiDocument> | null = null;
  return async () => {
    document ??= makeDocument(app, additions);
    document.catch(() => {
      document = null;
    });
    return await document;
  };
}

async function makeDocument(app: App, additions: readonly HttpAddition[]): Promise<OpenApiDocument> {
  const names = Array.from({ length: PORTIONS }, (_, portion) => portionName(portion));
  const portions = await mapInSlices(names, (name) => app.getDecorator<() => OpenApiDocument>(name)());
  const document = joined(portions);
  await completeDocument(document, additions);
  return document;
}

/** Joins documents of different routes, whose methods may have a path in common. */
function joined(portions: readonly OpenApiDocument[]): OpenApiDocument {
  const paths: Record<string, object> = {};
  for (const portion of portions)
    for (const [path, methods] of Object.entries(portion.paths ?? {})) paths[path] = { ...paths[path], ...methods };
  const schemas = Object.assign({}, ...portions.map(({ components }) => components?.schemas));
  const [first = {}] = portions;
  const document = { ...first, components: { ...first.components, schemas }, paths };
  return document as OpenApiDocument;
}

/** Serves the interface as a document. */
export function openapiRoute(
  app: App,
  { takeTurn, packLinked, document }: Pick<RouteTools, 'takeTurn' | 'packLinked' | 'document'>,
): void {
  let packed: Promise<ReturnType<RouteTools['packLinked']>> | null = null;
  app.get('/openapi.json', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    packed ??= document().then((described) => packLinked(JSON.stringify(described)));
    packed.catch(() => {
      packed = null;
    });
    const text = await packed;
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, no-cache');
    return await answerPacked(request, reply, text(request));
  });
}

function description(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { status, summary, retryable }]) =>
      `| ${status} | \`${code}\` | ${summary} | ${retryable ? 'yes' : 'no'} |`,
  );
  return [
    'Orders images and videos from many engines over one interface. A create answers at once with a task. Retrieve the task, stream its events or receive a webhook until it is final.',
    '',
    'Every success is `{ code, data, message, timestamp }`. Every failure is `{ error: { status, code, message, param, details, retryable, request_id, docs_url }, timestamp }`. New fields may be added; ignore those that you do not know.',
    '',
    'A client can get the JSON Schema of the create body of each model from `GET /v1/models/{model_id}`.',
    '',
    '## Errors',
    '',
    '| status | code | meaning | retryable |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
