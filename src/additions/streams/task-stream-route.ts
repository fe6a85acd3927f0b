import { eventAnswer } from '@darkroom-service/addition-common/http/event-answer';
import {
  bearerOf,
  createEventStreams,
  STREAM_HEADERS,
  serveStream,
} from '@darkroom-service/addition-common/http/event-streams';
import { errorFromFaults, TASK_ID } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ErrorAnswer, Task } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { App, RouteTools } from '../../kernel-http.ts';
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
export function taskStreamRoute(v1: App, kernel: ServingKernel, { waits }: Pick<RouteTools, 'waits'>): void {
  const { http, tasks } = kernel;
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
      const key = http.caller(request);
      const asked = tasksOf(request.query.tasks);
      // Errors are answered as for any other request, before the stream begins.
      for (const { taskId, type } of asked) await tasks.find(key, type, taskId);
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
      await serveStream(kernel, { waits, streams }, request, reply, {
        // Counts as one stream for each task, because each of them is watched.
        shares: asked.length,
        credential: bearerOf(kernel, request),
        subject: { tasks: request.query.tasks },
        async follow(stream, signal) {
          const follow = { key, stream, signal, positionEveryMs: POSITION_EVERY_MS };
          await Promise.all(asked.map((task) => followTask(http.linked(request), { ...follow, ...task })));
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
