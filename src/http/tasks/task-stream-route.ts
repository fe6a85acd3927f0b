import { type Static, Type } from 'typebox';
import { errorFromFaults, ServiceError } from '../../base/errors.ts';
import { findTask } from '../../views/find-tasks.ts';
import { ErrorAnswer, plainAnswer } from '../answers.ts';
import { callerOf } from '../authenticate.ts';
import { publishBudgets } from '../budget-headers.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from './answer-task.ts';
import { createEventStreams } from './event-streams.ts';
import { followTask } from './follow-task.ts';
import { openStream, STREAM_HEADERS } from './open-stream.ts';

const MOST_TASKS = 50;
const POSITION_EVERY_MS = 3_000;
const TASK_ID = '(img|vid)_[0-9a-z]{26}';

const TasksQuery = Type.Object(
  {
    tasks: Type.String({
      pattern: `^${TASK_ID}(,${TASK_ID})*$`,
      description: `one task_id or several, comma-separated; at most ${MOST_TASKS}`,
    }),
  },
  { additionalProperties: false },
);

/** `GET /v1/events`: one stream for several tasks of a key. It ends once all of them are final. */
export function taskStreamRoute(v1: App, { services, keyring }: HttpOptions, { waits }: TaskAnswers): void {
  const streams = createEventStreams();

  v1.get<{ Querystring: Static<typeof TasksQuery> }>(
    '/v1/events',
    {
      schema: {
        tags: ['Images', 'Videos'],
        querystring: TasksQuery,
        response: {
          200: plainAnswer('Events named `task`, whose data is the task as a retrieval gives it', [
            'text/event-stream',
          ]),
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
      publishBudgets(reply, services.budgets, key.id, ['streams']);
      // As much as one stream for each of them, because each of them is watched.
      const share = services.budgets.acquire(key.id, 'streams', tasks.length);
      const wait = waits.open(reply.raw);
      const ended = new AbortController();
      const signal = AbortSignal.any([wait.signal, ended.signal]);
      const stream = openStream(reply);
      const { authorization } = request.headers;
      const leave = streams.add({
        credential: `Bearer ${authorization}`,
        check: () =>
          keyring.authenticate(authorization).then(
            () => true,
            (error: unknown) => !(error instanceof ServiceError && error.status === 401),
          ),
        beat: stream.beat,
        end: () => ended.abort(),
      });
      const follow = { key, stream, signal, positionEveryMs: POSITION_EVERY_MS };
      try {
        await Promise.all(tasks.map((task) => followTask(services, { ...follow, ...task })));
        stream.end();
      } catch (error) {
        services.log.error({ err: error, tasks: request.query.tasks }, 'event stream failed');
        reply.raw.destroy();
      } finally {
        ended.abort();
        leave();
        wait.close();
        share.release();
      }
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
