import swagger from '@fastify/swagger';
import { ERROR_TABLE } from '../base/errors.ts';
import { docsPage } from './docs-page.ts';
import type { App } from './http-options.ts';
import { referenceRoutes } from './reference-pages.ts';
import { sharedSchemas } from './schemas.ts';
import { PAGE_SECURITY_POLICY } from './security-headers.ts';

const INTERFACE_VERSION = '1.0.0';

/** Collects the schemas of all routes that are registered after it. */
export async function collectSchemas(app: App, options: { readonly publicUrl: string }): Promise<void> {
  for (const schema of sharedSchemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Darkroom', version: INTERFACE_VERSION, description: description() },
      servers: [{ url: options.publicUrl }],
      tags: ['Images', 'Videos', 'Models', 'Files', 'Account', 'Webhooks', 'Admin', 'Health'].map((name) => ({ name })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'dk_live_…, dk_test_…; dk_admin_… under /admin/v1' },
        },
      },
      security: [{ bearer: [] }],
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transform: ({ schema, url, route }) => {
      const address = url.replace('*', ':file');
      return { schema: { ...schema, operationId: operationIdOf(String(route.method), address) }, url: address };
    },
    transformObject: (document) => {
      const described = 'openapiObject' in document ? document.openapiObject : document.swaggerObject;
      markOptionalBodies(described);
      return described;
    },
  });
}

/** The interface as a document, and as pages that load nothing from elsewhere. */
export async function openapiRoutes(app: App): Promise<void> {
  let document: string | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, no-cache')
      .serializer((json) => json as string)
      .send(document);
  });

  let page: string | null = null;
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= docsPage(app.swagger());
    return reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_SECURITY_POLICY).send(page);
  });

  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply, payload) => {
      reply.header('content-security-policy', PAGE_SECURITY_POLICY);
      return payload;
    });
    referenceRoutes(pages);
  });
}

/** The generator takes every body to be required. */
function markOptionalBodies(document: object): void {
  const { paths = {} } = document as { paths?: Record<string, Record<string, { requestBody?: RequestBody }>> };
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    const { requestBody } = operation;
    const schema = requestBody?.content['application/json']?.schema;
    if (requestBody === undefined || schema?.['x-optional'] !== true) continue;
    requestBody.required = false;
    delete schema['x-optional'];
  }
}

interface RequestBody {
  required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema: Record<string, unknown> }>>;
}

/** `GET /v1/images/:task_id` -> `getImagesByTaskId`: unique and stable, for those who generate clients. */
function operationIdOf(method: string, url: string): string {
  const words = url
    .replace('/v1', '')
    .replaceAll('/:', '/by/')
    .split(/[/_.:]/)
    .filter((word) => word !== '');
  return (
    method.toLowerCase().split(',')[0] + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  );
}

function description(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { status, summary, retryable }]) =>
      `| ${status} | \`${code}\` | ${summary} | ${retryable ? 'yes' : 'no'} |`,
  );
  return [
    'Hand in a prompt, and collect the developed picture or film later: creates answer at once with a task, which is retrieved until it is final.',
    '',
    'Every successful answer is `{ code, data, message, timestamp }`; every failure is `{ error: { status, code, message, param, details, retryable, request_id, docs_url }, timestamp }`.',
    '',
    '## Errors',
    '',
    '| status | code | meaning | may be repeated |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
