import { ApiError, DarkroomError, type OrderFacts } from './errors.ts';
import type { ErrorBody } from './generated/interface.ts';

/**
 * Statuses that a proxy answers in the service's place when the service cannot be reached. They say nothing of an
 * order.
 */
const PROXY_FAILURES = [408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 530];

/** The codes under which Node tells that no connection came about. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'];

/** No answer of the service: the connection broke, the answer was cut, or a proxy answered. */
export class LostAnswer extends Error {
  /** The status of a proxy's answer, or of an answer that was cut; null if nothing answered. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  /** Whether no connection came about, so that nothing was sent. */
  readonly neverSent: boolean;

  constructor(message: string, cause?: unknown, response: Response | null = null) {
    super(message, { cause });
    this.status = response?.status ?? null;
    this.neverSent = NEVER_SENT.includes(codeOf(cause));
    this.retryAfterSeconds = response === null || response.ok ? null : retryAfterOf(response);
  }
}

/**
 * Reads the error out of a response that is no success.
 * @param factsAfter what is known of the order after a response of this status and code
 */
export async function errorOf(
  response: Response,
  factsAfter: (status: number, code: string) => OrderFacts | undefined,
): Promise<DarkroomError | LostAnswer> {
  const text = await response.text().catch(() => '');
  const retryAfter = retryAfterOf(response);
  const error = (parse(text) as Partial<ErrorBody> | null)?.error;
  if (typeof error?.code === 'string' && typeof error.message === 'string')
    return new ApiError(
      { ...error, status: response.status } as ErrorBody['error'],
      factsAfter(response.status, error.code),
      retryAfter,
    );
  if (PROXY_FAILURES.includes(response.status))
    return new LostAnswer(`${response.status} from something in front of the service`, undefined, response);
  const redirect = response.headers.get('location');
  const hint =
    redirect === null
      ? 'Does baseUrl point to a Darkroom service?'
      : `It redirects to ${redirect}: set baseUrl to the new address.`;
  return new DarkroomError(
    'unexpected_response',
    `The response (${response.status || 'a redirect'}) is not from Darkroom. ${hint}`,
    { ...factsAfter(response.status, 'unexpected_response'), status: response.status },
  );
}

/** Reads `data` out of a successful response. @throws LostAnswer if the response was cut */
export async function dataOf<T>(response: Response): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw new LostAnswer('the response was cut', error);
  });
  const body = parse(text);
  if (body === null || !('data' in body))
    throw new LostAnswer('the response is not one of Darkroom, or was cut', undefined, response);
  return body.data as T;
}

/** Seconds; null if the header is absent or a date. */
export function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after') ?? '';
  return /^\d+$/.test(value) ? Number(value) : null;
}

function codeOf(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : '';
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
