import { closedObject } from '@darkroom-service/contract/parts';
import { ActionOrder, CreatedTask, CreateHeaders, ErrorAnswer, envelopeOf } from '@darkroom-service/contract/schemas';
import { createAction } from '../../orders/create-task.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import { readIdempotencyKey, readSimulateHeader, readWait } from '../connection/request-headers.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { answerCreated, type TaskAnswers } from './answer-task.ts';

const PATH = '/v1/images/actions';

/** Serves follow-up actions on a picture that was made here. */
export function actionRoutes(v1: App, options: HttpOptions, answers: TaskAnswers): void {
  v1.post(
    PATH,
    {
      onRequest: limitRate(options, 'creates'),
      schema: {
        tags: ['Images'],
        body: ActionOrder,
        headers: CreateHeaders,
        querystring: closedObject({}),
        response: { 201: envelopeOf(CreatedTask, 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const created = await createAction(options.servicesFor(request), callerOf(request), {
        path: PATH,
        body: request.body,
        idempotencyKey: readIdempotencyKey(request),
        simulate: readSimulateHeader(request),
        waits: readWait(request) !== null,
      });
      return await answerCreated(answers, request, reply, created);
    },
  );
}
