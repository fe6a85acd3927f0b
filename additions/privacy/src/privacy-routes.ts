import { idPattern, ServiceError, TASK_ID } from '@darkroom-service/contract';
import { closedObject, LONGEST, pageOf } from '@darkroom-service/contract/parts';
import { adminAction, adminSchema, ErrorAnswer, Limit, plainAnswer, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { openArchive } from './archive.ts';
import {
  listErasures,
  requestErasure,
  requestExport,
  requireRequest,
  type Subject,
  viewErasure,
  viewExport,
} from './data-requests.ts';
import { repeatErasure } from './known-erasures.ts';
import { DataExport, Erasure, KnownErasureBody, NewDataRequest, NewErasure, RepeatedErasure } from './request-wire.ts';

const Page = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last erasure_id of the page before' })),
});
const ArchiveQuery = closedObject({
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^${idPattern('key', 'psk')}\\.(image|video)\\.${TASK_ID}$`,
      description: 'the darkroom-next of the archive before',
    }),
  ),
});
const ExportPath = Type.Object({ export_id: Type.String({ maxLength: LONGEST.pathPart }) });
const ErasurePath = Type.Object({ erasure_id: Type.String({ maxLength: LONGEST.pathPart }) });

/** Serves exports and erasures of people's stored data. */
export function privacyRoutes(admin: App, kernel: ServingKernel): void {
  const { clock, http, store } = kernel;

  admin.post(
    '/admin/v1/exports',
    { schema: { ...adminAction(DataExport, 201), body: NewDataRequest } },
    async (request, reply) => {
      const subject = subjectOf(kernel.accounts, request.body);
      const made = await http.once(request, reply, {
        make: (_binding, by) => requestExport(kernel, by, subject),
        again: async (id) => viewExport(await requireRequest(store.read, 'export', id)),
      });
      reply.code(201);
      return success(made, 201);
    },
  );

  admin.get<{ Params: Static<typeof ExportPath>; Querystring: Static<typeof ArchiveQuery> }>(
    '/admin/v1/exports/:export_id/archive',
    {
      schema: {
        tags: ['Admin'],
        params: ExportPath,
        querystring: ArchiveQuery,
        response: { 200: plainAnswer('A ZIP archive without compression', ['application/zip']), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const wanted = await requireRequest(store.read, 'export', request.params.export_id);
      if ((wanted.expires_at ?? 0) <= clock.now())
        throw new ServiceError('not_found', `The export '${wanted.id}' has expired. Request a new one.`);
      const archive = await openArchive(kernel, wanted, request.query.after ?? null);
      reply.type('application/zip').header('cache-control', 'no-store');
      reply.header('content-disposition', `attachment; filename="${archive.fileName}"`);
      if (archive.next !== null) reply.header('darkroom-next', archive.next);
      return reply.send(request.method === 'HEAD' ? undefined : archive.read());
    },
  );

  admin.post(
    '/admin/v1/erasures',
    { schema: { ...adminAction(Erasure, 201), body: NewErasure } },
    async (request, reply) => {
      const { uploads = false } = request.body;
      const subject = { ...subjectOf(kernel.accounts, request.body), uploads };
      const made = await http.once(request, reply, {
        make: (_binding, by) => requestErasure(kernel, by, subject),
        again: async (id) => await viewErasure(store.read, await requireRequest(store.read, 'erasure', id)),
      });
      reply.code(201);
      return success(made, 201);
    },
  );

  admin.post(
    '/admin/v1/erasures/repeat',
    { schema: { ...adminAction(RepeatedErasure), body: KnownErasureBody } },
    async (request, reply) => {
      const repeated = await http.once(request, reply, {
        make: (_binding, by) => repeatErasure(kernel, by, request.body),
        again: async () => true,
      });
      return success({ erasure_id: request.body.erasure_id, repeated });
    },
  );

  admin.get(
    '/admin/v1/erasures',
    { schema: { ...adminSchema(pageOf(Erasure)), querystring: Page } },
    async (request) => {
      const { limit = 20, after = null } = request.query;
      const { items, hasMore } = await listErasures(store.read, { limit, after });
      return success({ items, limit, has_more: hasMore });
    },
  );

  admin.get<{ Params: Static<typeof ErasurePath> }>(
    '/admin/v1/erasures/:erasure_id',
    { schema: { ...adminSchema(Erasure), params: ErasurePath } },
    async (request) => {
      const row = await requireRequest(store.read, 'erasure', request.params.erasure_id);
      return success(await viewErasure(store.read, row));
    },
  );
}

/** @throws ServiceError `invalid_request` for an end user that no order could name */
function subjectOf(
  { readEndUser }: ServingKernel['accounts'],
  { account_id: accountId, end_user: endUser }: Static<typeof NewDataRequest>,
): Subject {
  return { accountId, endUser: endUser === undefined ? null : readEndUser(endUser) };
}
