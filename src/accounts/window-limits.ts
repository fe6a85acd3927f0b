import { formatMicros, isoTime, type Micros, ServiceError } from '@darkroom-service/contract';
import { SPEND_WINDOWS, type SpendLimits, type SpendWindow, WINDOW_LABEL, windowEnd } from './spend-windows.ts';

/** What a refusal says of whoever has reached the limit of a window. */
interface Refusal {
  readonly code: 'spend_limit_reached' | 'end_user_limit_reached';
  /** The message up to the amount that is left. */
  readonly subject: string;
  /** What to do besides waiting, as the second half of a sentence. */
  readonly remedy: string;
  readonly endUser?: string;
}

/** Returns the windows that have a limit. */
export function limitedWindows(limits: SpendLimits): [SpendWindow, Micros][] {
  return SPEND_WINDOWS.flatMap((window): [SpendWindow, Micros][] => {
    const limit = limits[window];
    return limit === null ? [] : [[window, limit]];
  });
}

/** Refuses a price that exceeds what is left of a window. @throws ServiceError with the code of the refusal */
export function assertLeft(
  { window, limit, spent }: { readonly window: SpendWindow; readonly limit: Micros; readonly spent: Micros },
  price: Micros,
  now: number,
  refusal: () => Refusal,
): void {
  const left = limit - spent;
  if (price <= left) return;
  const { code, subject, remedy, endUser } = refusal();
  const available = formatMicros(Math.max(0, left));
  const resetsAt = isoTime(windowEnd(window, now));
  const advice =
    resetsAt === null ? `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}` : `Wait until ${resetsAt}, or ${remedy}`;
  throw new ServiceError(
    code,
    `${subject} can spend only ${available} USD more of its ${formatMicros(limit)} USD ${WINDOW_LABEL[window]}. ${advice}`,
    {
      ...(endUser !== undefined && { param: 'end_user' }),
      details: [
        {
          ...(endUser !== undefined && { end_user: endUser }),
          limit: formatMicros(limit),
          window,
          needed: formatMicros(price),
          available,
          resets_at: resetsAt,
          currency: 'USD',
        },
      ],
    },
  );
}
