import { canonicalName, ServiceError, type TaskView } from '@darkroom-service/contract';
import { closedObject, OPTIONAL_BODY, refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  CreatedTask,
  CreateHeaders,
  ErrorAnswer,
  envelopeOf,
  FileHeaders,
  ImageOrder,
  ImagePage,
  RetrieveHeaders,
  success,
  Task,
  VideoOrder,
  VideoPage,
} from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createTask } from '../../orders/create-task.ts';
import { isFinal } from '../../record/task.ts';
import { findTask, findTaskRow, type TaskType, viewFoundTask } from '../../views/find-tasks.ts';
import { listTasks } from '../../views/list-tasks.ts';
import { taskContent } from '../../views/task-content.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import { readIdempotencyKey, readSimulateHeader, readWait } from '../connection/request-headers.ts';
import { fileRoute, serveFile } from '../files/serve-file.ts';
import type { App, HttpOptions, TaskListAddition } from '../http-options.ts';
import { repeatable } from '../repeatable.ts';
import {
  answerCreated,
  answerFinal,
  answerTask,
  applyPreference,
  type TaskAnswers,
  waitAsPreferred,
} from './answer-task.ts';
import { createFinalAnswers } from './final-answers.ts';
import { ImageListQuery, readTaskQuery, VideoListQuery } from './task-query.ts';

const CONTENT_MAX_AGE_SECONDS = 3600;
const CONTENT_ADDRESS_MS = 3_600_000;
const nothing = closedObject({});

const emptyBody = closedObject({}, OPTIONAL_BODY);

const ContentQuery = closedObject({
  variant: Type.Optional(Type.Enum(['output', 'original', 'thumbnail', 'preview'])),
  download: Type.Optional(Type.Enum(['0', '1'], { description: '1 = to be saved under a name' })),
});

/** Serves orders, lists, retrievals and cancels: the same for images and videos except for the paging of lists. */
export function taskRoutes(v1: App, options: HttpOptions, answers: TaskAnswers, type: TaskType): void {
  orderRoute(v1, options, answers, type);
  listRoute(v1, options, type);
  oneTaskRoutes(v1, options, answers, type);
}

const pathOf = (type: TaskType) => `/v1/${type}s`;
const tagsOf = (type: TaskType) => [type === 'image' ? 'Images' : 'Videos'];

function orderRoute(v1: App, options: HttpOptions, answers: TaskAnswers, type: TaskType): void {
  const path = pathOf(type);
  v1.post(
    path,
    {
      onRequest: limitRate(options, 'creates'),
      schema: {
        tags: tagsOf(type),
        body: type === 'image' ? ImageOrder : VideoOrder,
        headers: CreateHeaders,
        querystring: nothing,
        response: { 201: envelopeOf(CreatedTask, 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const created = await createTask(options.servicesFor(request), callerOf(request), {
        type,
        path,
        body: request.body,
        idempotencyKey: readIdempotencyKey(request),
        simulate: readSimulateHeader(request),
        waits: readWait(request) !== null,
      });
      return await answerCreated(answers, request, reply, created);
    },
  );
}

function listRoute(v1: App, options: HttpOptions, type: TaskType): void {
  const { services } = options;
  const added = options.additions.flatMap(({ lists }) => lists ?? []);
  const { properties, ...shape } = type === 'image' ? ImageListQuery : VideoListQuery;
  const listQuery = Type.Object(withAdded(properties, added), shape);
  const listAnswer = envelopeOf(type === 'image' ? refTo(ImagePage) : refTo(VideoPage));
  v1.get(
    pathOf(type),
    { schema: { tags: tagsOf(type), querystring: listQuery, response: { 200: listAnswer, ...ErrorAnswer } } },
    async (request, reply) => {
      const { query, find, position } = readTaskQuery(request.query, type, added);
      // Tasks have the model's own id, even if it was ordered by another name.
      const modelId =
        query.modelId === null ? null : (services.catalog().find(query.modelId)?.model_id ?? query.modelId);
      const key = callerOf(request);
      const endUser = key.client?.endUser ?? query.endUser;
      if (query.endUser !== null && canonicalName(query.endUser) !== canonicalName(endUser ?? '')) throw otherEndUser();
      const [source = null] = added.flatMap((lists) => lists.source?.(request.query) ?? []);
      const asked = { ...query, modelId, endUser, source };
      const shown = async (items: readonly TaskView[]) => {
        for (const { show } of added) items = (await show?.(request.query, services.database.read, items)) ?? items;
        return { items, limit: query.limit, ...position };
      };
      if (find !== null) {
        const { items, nextAfter } = await find(request, reply, key, type, asked);
        return success({ ...(await shown(items)), has_more: nextAfter !== null, next_after: nextAfter });
      }
      const { items, hasMore } = await listTasks(options.servicesFor(request), key, type, asked);
      return success({ ...(await shown(items)), has_more: hasMore });
    },
  );
}

/** Serves retrievals, cancels and downloads. */
function oneTaskRoutes(v1: App, options: HttpOptions, answers: TaskAnswers, type: TaskType): void {
  const finals = createFinalAnswers();
  const { services } = options;
  const one = `${pathOf(type)}/:task_id`;
  const tags = tagsOf(type);
  const taskAnswer = { 200: envelopeOf(refTo(Task)), ...ErrorAnswer };
  v1.get<{ Params: { task_id: string } }>(
    one,
    { schema: { tags, headers: RetrieveHeaders, querystring: nothing, response: taskAnswer } },
    async (request, reply) => {
      const linked = options.servicesFor(request);
      const key = callerOf(request);
      const { task_id: taskId } = request.params;
      let final = await finals.find(linked, key, type, taskId);
      if (final === null) {
        const row = await findTaskRow(linked.database.read, key, type, taskId);
        const task = await viewFoundTask(linked, key, row);
        if (!isFinal(row.status))
          return answerTask(request, reply, await waitAsPreferred(answers, request, reply, task));
        final = finals.keep(linked, key, row, task);
      }
      applyPreference(request, reply);
      return answerFinal(request, reply, final);
    },
  );

  v1.post<{ Params: { task_id: string } }>(
    `${one}/cancel`,
    { schema: { tags, headers: ActionHeaders, body: emptyBody, querystring: nothing, response: taskAnswer } },
    async (request, reply) => {
      const key = callerOf(request);
      const task = await repeatable(options, request, reply, {
        make: (binding) => cancelTask(options.servicesFor(request), key, type, request.params.task_id, binding),
        again: (taskId) => findTask(options.servicesFor(request), key, type, taskId),
      });
      return success(task);
    },
  );

  fileRoute<{ Params: { task_id: string }; Querystring: Static<typeof ContentQuery> }>(v1, {
    url: `${one}/content`,
    files: type,
    schema: { tags, headers: FileHeaders, querystring: ContentQuery },
    handler: async (request, reply) => {
      const { task_id: taskId } = request.params;
      const { variant = 'output', download } = request.query;
      const content = await taskContent(services, callerOf(request), type, taskId, variant);
      return await serveFile(request, reply, services, content, {
        download: download === '1',
        expiresAt: services.clock.now() + CONTENT_ADDRESS_MS,
        maxAge: CONTENT_MAX_AGE_SECONDS,
      });
    },
  });
}

/** Puts the parameters of additions at the positions that these request. */
function withAdded<Own extends object>(own: Own, added: readonly TaskListAddition[]): Own {
  const entries = Object.entries(own);
  for (const { query, behind } of added) {
    const at = behind === undefined ? entries.length : entries.findIndex(([name]) => name === behind) + 1;
    entries.splice(at, 0, ...Object.entries(query));
  }
  return Object.fromEntries(entries) as Own;
}

function otherEndUser(): ServiceError {
  return new ServiceError('forbidden', 'A client token lists only the tasks of its own end user. Omit end_user.', {
    param: 'end_user',
  });
}
