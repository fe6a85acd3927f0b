import { ERROR_TABLE } from '@darkroom-service/contract/error-table';
import swagger from '@fastify/swagger';
import type { onRequestHookHandler } from 'fastify';
import { answerPacked } from '../bodies/etag.ts';
import { type Packed, pack } from '../bodies/packed.ts';
import { PAGE_SECURITY_POLICY } from '../connection/security-headers.ts';
import type { App, HttpAddition } from '../http-options.ts';
import { clientRoutes } from './client-routes.ts';
import { completeDocument } from './complete-document.ts';
import { COMPONENTS } from './components.ts';
import { type GuidePage, MOVED_PAGES, pagesWith } from './guide-list.ts';
import type { DocumentedPaths } from './guide-pages.ts';
import { GUIDE_SECURITY_POLICY } from './page-frame.ts';
import { referenceRoutes } from './reference-pages.ts';

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

/** The interface as a document, and as pages that load nothing from elsewhere. */
export async function openapiRoutes(
  app: App,
  takeTurn: onRequestHookHandler,
  { publicUrl, additions }: { readonly publicUrl: string; readonly additions: readonly HttpAddition[] },
): Promise<void> {
  let document: Packed | null = null;
  app.get('/openapi.json', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    document ??= pack(Buffer.from(JSON.stringify(app.swagger())));
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, no-cache');
    return await answerPacked(request, reply, document);
  });

  guideRoutes(app, takeTurn, {
    publicUrl,
    pages: pagesWith(additions.flatMap(({ pages }) => pages ?? [])),
    movedPages: Object.assign({}, MOVED_PAGES, ...additions.map(({ movedPages }) => movedPages)),
    describe: () => app.swagger(),
  });
  clientRoutes(app, takeTurn, { publicUrl });

  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply, payload) => {
      reply.header('content-security-policy', PAGE_SECURITY_POLICY);
      return payload;
    });
    referenceRoutes(pages, takeTurn);
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

/** Serves the guide: `/docs`, and its further pages below. Each page is rendered when it is first requested. */
function guideRoutes(
  app: App,
  takeTurn: onRequestHookHandler,
  options: {
    readonly publicUrl: string;
    readonly pages: readonly GuidePage[];
    readonly movedPages: Readonly<Record<string, string>>;
    readonly describe: () => DocumentedPaths;
  },
): void {
  const { publicUrl, pages } = options;
  const packed = new Map<GuidePage, Promise<Packed>>();
  const render = async (page: GuidePage) => {
    // The Markdown renderer is loaded only when somebody reads the guide.
    const { renderGuidePage } = await import('./guide-pages.ts');
    return pack(Buffer.from(await renderGuidePage(page, { pages, publicUrl, document: options.describe() })));
  };
  for (const page of pages) {
    const url = page.name === 'api' ? '/docs' : `/docs/${page.name}`;
    app.get(url, { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
      const rendering = packed.get(page) ?? render(page);
      packed.set(page, rendering);
      rendering.catch(() => packed.delete(page));
      reply.type('text/html; charset=utf-8').header('cache-control', 'public, no-cache');
      return await answerPacked(
        request,
        reply.header('content-security-policy', GUIDE_SECURITY_POLICY),
        await rendering,
      );
    });
  }
  for (const path of ['webhooks/receiver.ts', 'webhooks/receiver.py'])
    app.get(`/docs/${path}`, { onRequest: takeTurn, schema: { hide: true } }, async (_request, reply) => {
      const { readProgram } = await import('./guide-pages.ts');
      return reply.type('text/plain; charset=utf-8').send(await readProgram(path));
    });
  for (const [name, target] of Object.entries(options.movedPages))
    app.get(`/docs/${name}`, { schema: { hide: true } }, async (_request, reply) => reply.redirect(target, 301));
}
