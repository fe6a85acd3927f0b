import { Type } from 'typebox';
import type { JsonObject } from '../base/canonical-json.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { createTask } from '../tasks/create-task.ts';
import { deleteTask } from '../tasks/delete-task.ts';
import { findTask } from '../tasks/find-tasks.ts';
import { listTasks } from '../tasks/list-tasks.ts';
import { type ContentVariant, taskContent } from '../tasks/task-content.ts';
import { answerCreated, answerTask, type TaskAnswers, waitAsPreferred } from './answer-task.ts';
import { callerOf, limitRate } from './authenticate.ts';
import { OPTIONAL_BODY } from './check-shape.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { readIdempotencyKey, readSimulateHeader } from './request-headers.ts';
import { ErrorAnswer, refTo } from './schemas.ts';
import { fileRoute, serveFile } from './serve-file.ts';
import { CreateHeaders, ImageOrder, RetrieveHeaders, VideoOrder } from './task-bodies.ts';
import { ImageListQuery, readTaskQuery, VideoListQuery } from './task-query.ts';

const CONTENT_MAX_AGE_SECONDS = 3600;
const CONTENT_ADDRESS_MS = 3_600_000;
const nothing = Type.Object({}, { additionalProperties: false });

const emptyBody = Type.Object({}, { additionalProperties: false, ...OPTIONAL_BODY });

const ContentQuery = Type.Object(
  {
    variant: Type.Optional(Type.Enum(['output', 'thumbnail', 'preview'])),
    download: Type.Optional(Type.Enum(['0', '1'], { description: '1 = to be saved under a name' })),
  },
  { additionalProperties: false },
);

/** Orders, lists, retrievals, cancels and deletions: the same for images and videos but for the paging of lists. */
export function taskRoutes(v1: App, options: HttpOptions, answers: TaskAnswers, type: 'image' | 'video'): void {
  const { desk } = options;
  const path = `/v1/${type}s`;
  const one = `${path}/:task_id`;
  const tags = [type === 'image' ? 'Images' : 'Videos'];
  const taskAnswer = { 200: envelopeOf(refTo('Task')), ...ErrorAnswer };

  v1.post(
    path,
    {
      onRequest: limitRate(options, 'creates'),
      schema: {
        tags,
        summary: `Create ${type === 'image' ? 'an image' : 'a video'} task`,
        body: type === 'image' ? ImageOrder : VideoOrder,
        headers: CreateHeaders,
        querystring: nothing,
        response: { 201: envelopeOf(refTo('Task'), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const created = await createTask(desk, callerOf(request), {
        type,
        path,
        body: request.body as JsonObject,
        idempotencyKey: readIdempotencyKey(request),
        simulate: readSimulateHeader(request),
      });
      return await answerCreated(answers, request, reply, created);
    },
  );

  const listQuery = type === 'image' ? ImageListQuery : VideoListQuery;
  const listAnswer = envelopeOf(
    Type.Object({
      items: Type.Array(refTo('Task')),
      limit: Type.Integer(),
      ...(type === 'image' ? { offset: Type.Optional(Type.Integer()) } : { page: Type.Optional(Type.Integer()) }),
      after: Type.Optional(Type.String()),
      has_more: Type.Boolean(),
    }),
  );
  v1.get(
    path,
    {
      schema: {
        tags,
        summary: `List the key's ${type} tasks`,
        querystring: listQuery,
        response: { 200: listAnswer, ...ErrorAnswer },
      },
    },
    async (request) => {
      const { query, position } = readTaskQuery(request.query, type);
      const { items, hasMore } = await listTasks(desk, callerOf(request), type, query);
      return success({ items, limit: query.limit, ...position, has_more: hasMore });
    },
  );

  v1.get<{ Params: { task_id: string } }>(
    one,
    {
      schema: {
        tags,
        summary: 'Retrieve a task',
        headers: RetrieveHeaders,
        querystring: nothing,
        response: taskAnswer,
      },
    },
    async (request, reply) => {
      const task = await findTask(desk, callerOf(request), type, request.params.task_id);
      return answerTask(request, reply, await waitAsPreferred(answers, request, reply, task));
    },
  );

  v1.post<{ Params: { task_id: string } }>(
    `${one}/cancel`,
    { schema: { tags, summary: 'Cancel a task', body: emptyBody, querystring: nothing, response: taskAnswer } },
    async (request) => success(await cancelTask(desk, callerOf(request), type, request.params.task_id)),
  );

  v1.delete<{ Params: { task_id: string } }>(
    one,
    {
      schema: {
        tags,
        summary: 'Erase a final task',
        querystring: nothing,
        response: {
          200: envelopeOf(Type.Object({ task_id: Type.String(), deleted_at: Type.String() })),
          ...ErrorAnswer,
        },
      },
    },
    async (request) => success(await deleteTask(desk, callerOf(request), type, request.params.task_id)),
  );

  fileRoute(v1, {
    url: `${one}/content`,
    schema: {
      tags,
      summary: "A task's output, its thumbnail or a film's preview, as a file",
      querystring: ContentQuery,
    },
    handler: async (request, reply) => {
      const { task_id: taskId } = request.params as { task_id: string };
      const { variant = 'output', download } = request.query as {
        variant?: ContentVariant;
        download?: '0' | '1';
      };
      const content = await taskContent(desk, callerOf(request), type, taskId, variant);
      return await serveFile(request, reply, desk.storage, content, {
        download: download === '1',
        expiresAt: desk.clock.now() + CONTENT_ADDRESS_MS,
        maxAge: CONTENT_MAX_AGE_SECONDS,
      });
    },
  });
}
