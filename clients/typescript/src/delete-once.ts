import { type ApiErrorCode, isDarkroomError } from './errors.ts';
import type { Call, Transport } from './transport.ts';

/**
 * Deletes at a path. A retry after a lost answer that finds nothing succeeds, because the lost request deleted it.
 * @param notFound the code of the refusal when there is nothing at the path
 * @returns `deleted_at` of the service; after a lost answer the time of the retry
 */
export async function deleteOnce(
  transport: Transport,
  call: Omit<Call, 'method' | 'onLostAnswer'>,
  notFound: ApiErrorCode,
): Promise<string> {
  let mayBeDeleted = false;
  const onLostAnswer = () => {
    mayBeDeleted = true;
  };
  try {
    const { data } = await transport.send<{ readonly deleted_at: string }>({ ...call, method: 'DELETE', onLostAnswer });
    return data.deleted_at;
  } catch (error) {
    if (mayBeDeleted && isDarkroomError(error, notFound)) return new Date().toISOString();
    throw error;
  }
}
