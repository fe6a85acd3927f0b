import { eventAnswer } from '@darkroom-service/addition-common/http/event-answer';
import {
  bearerOf,
  createEventStreams,
  STREAM_HEADERS,
  type Stream,
  serveStream,
} from '@darkroom-service/addition-common/http/event-streams';
import { world } from '@darkroom-service/contract';
import { AnyObject, closedObject } from '@darkroom-service/contract/parts';
import { ErrorAnswer } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { createOperatorChanges } from './reports/operator-changes.ts';

/** Minimum time between two events of a stream: changes within it are read together. */
const AT_MOST_EVERY_MS = 5_000;

/**
 * Serves `GET /admin/v1/events`: reports that data shown to operators have changed. The reader then reads them again.
 */
export function adminEventRoutes(
  admin: App,
  { additions, waits }: Pick<RouteTools, 'additions' | 'waits'>,
  kernel: ServingKernel,
): void {
  const streams = createEventStreams();
  const changes = createOperatorChanges(
    kernel.store,
    kernel.tasks.events,
    additions.flatMap(({ marks }) => marks ?? []),
    () => kernel.process.outages(),
  );
  const added = additions.flatMap(({ operatorEvent }) => operatorEvent ?? []);

  admin.get(
    '/admin/v1/events',
    {
      schema: {
        tags: ['Admin'],
        querystring: closedObject({}),
        response: {
          200: eventAnswer(
            [
              'Events named `changed`: the first at once, then at most one in five seconds',
              ...added.map(
                ({ name }) => `Events named \`${name}\`: one soon after the first, then at most one a second`,
              ),
            ].join('. '),
            { changed: AnyObject, ...Object.fromEntries(added.map(({ name }) => [name, AnyObject])) },
          ),
          ...ErrorAnswer,
        },
      },
    },
    async (request, reply) => {
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
      await serveStream(kernel, { waits, streams }, request, reply, {
        shares: 1,
        credential: bearerOf(kernel, request),
        subject: { stream: 'operators' },
        follow: (stream, signal) => follow(stream, signal, changes.watch, added),
      });
    },
  );
}

type OperatorEvent = NonNullable<RouteTools['additions'][number]['operatorEvent']>;

async function follow(
  stream: Stream,
  signal: AbortSignal,
  watch: OperatorEvent['watch'],
  added: readonly OperatorEvent[],
): Promise<void> {
  let count = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const send = () => {
    timer = null;
    sentAt = world.monotonic();
    stream.send({ name: 'changed', id: ++count, data: '{}' });
  };
  const stop = watch(() => {
    timer ??= world.setTimeout(send, Math.max(0, sentAt + AT_MOST_EVERY_MS - world.monotonic()));
  });
  send();
  const stops = added.map((one) => one.watch(() => stream.send({ name: one.name, id: ++count, data: '{}' })));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stop();
  for (const stopAdded of stops) stopAdded();
  if (timer !== null) world.clearTimeout(timer);
}
