import { Type } from 'typebox';
import type { JsonObject } from '../base/canonical-json.ts';
import { createAction } from '../tasks/create-action.ts';
import { answerCreated, type TaskAnswers } from './answer-task.ts';
import { callerOf, limitRate } from './authenticate.ts';
import { envelopeOf } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { readIdempotencyKey, readSimulateHeader } from './request-headers.ts';
import { ErrorAnswer, refTo } from './schemas.ts';
import { ActionOrder, CreateHeaders } from './task-bodies.ts';

const PATH = '/v1/images/actions';

/** Follow-up actions on a picture that was made here. */
export function actionRoutes(v1: App, options: HttpOptions, answers: TaskAnswers): void {
  v1.post(
    PATH,
    {
      onRequest: limitRate(options, 'creates'),
      schema: {
        tags: ['Images'],
        summary: 'Follow up on an earlier image task',
        body: ActionOrder,
        headers: CreateHeaders,
        querystring: Type.Object({}, { additionalProperties: false }),
        response: { 201: envelopeOf(refTo('Task'), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const created = await createAction(options.desk, callerOf(request), {
        path: PATH,
        body: request.body as JsonObject,
        idempotencyKey: readIdempotencyKey(request),
        simulate: readSimulateHeader(request),
      });
      return await answerCreated(answers, request, reply, created);
    },
  );
}
