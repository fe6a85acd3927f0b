import { eventAnswer } from '@darkroom-service/addition-common/http/event-answer';
import {
  bearerOf,
  createEventStreams,
  STREAM_HEADERS,
  serveStream,
} from '@darkroom-service/addition-common/http/event-streams';
import { errorFromFaults, TASK_ID } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { Task } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import { type App, callerOf, ErrorAnswer, type HttpOptions, type RouteTools } from '../../kernel-http.ts';
import { findTask } from '../../kernel-views.ts';
import { followTask } from './follow-task.ts';

const MOST_TASKS = 50;
const POSITION_EVERY_MS = 3_000;

const TasksQuery = closedObject({
  tasks: Type.String({
    maxLength: 4_000,
    pattern: `^${TASK_ID}(,${TASK_ID})*$`,
    description: `one task_id or several, comma-separated; at most ${MOST_TASKS}`,
  }),
});

/** Serves `GET /v1/events`: one stream for several tasks of a key. It ends once all of them are final. */
export function taskStreamRoute(
  v1: App,
  { services, servicesFor, keyring }: HttpOptions,
  { waits }: Pick<RouteTools, 'waits'>,
): void {
  const streams = createEventStreams();

  v1.get<{ Querystring: Static<typeof TasksQuery> }>(
    '/v1/events',
    {
      config: { takesClientTokens: true },
      schema: {
        tags: ['Images', 'Videos'],
        querystring: TasksQuery,
        response: {
          200: eventAnswer('Events named `task`, whose data is the task as a retrieval gives it', {
            task: refTo(Task),
          }),
          ...ErrorAnswer,
        },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const tasks = tasksOf(request.query.tasks);
      // Errors are answered as for any other request, before the stream begins.
      for (const { taskId, type } of tasks) await findTask(services, key, type, taskId);
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
      await serveStream({ services, waits, streams }, request, reply, {
        // Counts as one stream for each task, because each of them is watched.
        shares: tasks.length,
        credential: bearerOf({ keyring }, request),
        subject: { tasks: request.query.tasks },
        async follow(stream, signal) {
          const follow = { key, stream, signal, positionEveryMs: POSITION_EVERY_MS };
          await Promise.all(tasks.map((task) => followTask(servicesFor(request), { ...follow, ...task })));
        },
      });
    },
  );
}

/** @throws ServiceError `invalid_request` */
function tasksOf(list: string): { readonly taskId: string; readonly type: 'image' | 'video' }[] {
  const ids = [...new Set(list.split(','))];
  if (ids.length > MOST_TASKS) {
    throw errorFromFaults([
      {
        param: 'tasks',
        code: 'invalid_request',
        message: `'tasks' names ${ids.length} tasks; a stream covers at most ${MOST_TASKS}. Open another stream for the others.`,
      },
    ]);
  }
  return ids.map((taskId) => ({ taskId, type: taskId.startsWith('vid_') ? 'video' : 'image' }));
}
