import { ERROR_TABLE } from '@darkroom-service/contract';
import swagger from '@fastify/swagger';
import { answerPacked } from '../bodies/packed.ts';
import type { App, HttpAddition, RouteTools } from '../http-options.ts';
import { completeDocument } from './complete-document.ts';
import { COMPONENTS } from './components.ts';

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

/** Collects the schemas of all routes that are registered after it. */
export async function collectSchemas(
  app: App,
  options: { readonly publicUrl: string; readonly additions: readonly HttpAddition[] },
): Promise<void> {
  const { additions } = options;
  const components = additions.flatMap((addition) => addition.components ?? []);
  const sections = additions.flatMap(({ section }) => (section === undefined ? [] : [section]));
  for (const schema of [...COMPONENTS, ...components]) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
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
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transform: ({ schema, url }) => ({ schema, url: url.replace('*', ':file') }),
    transformObject: (document) => {
      const described = 'openapiObject' in document ? document.openapiObject : document.swaggerObject;
      completeDocument(described, additions);
      return described;
    },
  });
}

/** Serves the interface as a document. */
export function openapiRoute(app: App, { takeTurn, packLinked }: Pick<RouteTools, 'takeTurn' | 'packLinked'>): void {
  let document: ReturnType<RouteTools['packLinked']> | null = null;
  app.get('/openapi.json', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    document ??= packLinked(JSON.stringify(app.swagger()));
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, no-cache');
    return await answerPacked(request, reply, document(request));
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
