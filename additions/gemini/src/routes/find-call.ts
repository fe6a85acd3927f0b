import { type Call, findCall } from '@darkroom-service/addition-openai/mapping/calls';
import { cutText, ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';
import type { AnswerForm } from '../mapping/sent-order.ts';
import type { GeminiHttp } from './gemini-http.ts';

/** Finds a call of this caller by its id. @throws ServiceError `task_not_found` */
export async function findOwnCall(
  { kernel }: Pick<GeminiHttp, 'kernel'>,
  request: FastifyRequest,
  id: string,
  forms: readonly AnswerForm[],
): Promise<Call> {
  const call = await findCall(kernel, kernel.http.caller(request), id);
  if (call !== null && forms.some((form) => form === call.view.door)) return call;
  const [, kind = 'result'] = forms[0]?.split(':') ?? [];
  throw new ServiceError(
    'task_not_found',
    `This API key has no ${forms.length > 1 ? 'result' : kind} '${cutText(id, 64)}'.`,
  );
}

/** Cancels the tasks of a call that are not final. A repetition is no fault. @throws ServiceError `not_cancelable` */
export async function cancelCall(
  { kernel }: Pick<GeminiHttp, 'kernel'>,
  request: FastifyRequest,
  call: Call,
): Promise<void> {
  const key = kernel.http.caller(request);
  for (const id of call.taskIds) {
    const { type, completed_at: endedAt } = await kernel.tasks.row(key, null, id);
    if (endedAt === null) await kernel.orders.cancel(key, type, id);
  }
}
