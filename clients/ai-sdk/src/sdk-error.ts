import { APICallError } from '@ai-sdk/provider';
import { AbortError, ApiError, type Cost, type Darkroom, DarkroomError } from '@darkroom/client';

/**
 * The error of the AI SDK for an error of the client, which is its `cause`. `data` has the code, the Idempotency-Key
 * and the task.
 * @param isRetryable whether another call of the AI SDK sends the same key again. The client has already retried.
 */
export function sdkError(error: unknown, client: Darkroom, order: object, isRetryable = false): unknown {
  // The AI SDK knows an abort by its name and passes it on.
  if (!(error instanceof DarkroomError) || error instanceof AbortError) return error;
  const { code, message, idempotencyKey, taskId, ordered, cost } = error;
  const isRefusal = error instanceof ApiError;
  return new APICallError({
    message,
    url: client.baseUrl,
    requestBodyValues: order,
    ...(isRefusal ? { statusCode: error.status } : {}),
    cause: error,
    isRetryable: isRetryable && (error.code === 'connection_error' || (isRefusal && error.retryable)),
    data: { code, idempotencyKey, taskId, ordered, charged: chargeOf(cost) },
  });
}

/** The amount that was charged; false if nothing was, null if nobody knows yet. */
function chargeOf(cost: Cost | null): string | false | null {
  if (cost === null || cost.state === 'held') return null;
  return cost.state === 'charged' && cost.amount;
}
