import type { CheckResult } from '@darkroom-service/contract';
import { reportSilence } from '../../api/connection.ts';
import { fetchAsPerson } from '../../api/person.ts';
import { SERVICE_URL } from '../../api/service-url.ts';

const PATIENCE_MS = 10_000;

/** Reason why the service sends nothing. */
export interface Hold {
  readonly since?: string;
  readonly reason?: string;
  /** Whether the hold ends only as a successor or as a copy of another installation. */
  readonly is_copy?: boolean;
}

export interface Checks {
  readonly items: readonly CheckResult[];
  /** Null = orders are sent; undefined = unknown. */
  readonly hold: Hold | null | undefined;
  /** Whether orders can be placed. */
  readonly takesOrders: boolean;
  /** Time of the answer, by the service's clock. */
  readonly toldAt: string;
  /** Milliseconds by which the service's clock is ahead of this browser's. */
  readonly aheadMs: number;
}

/** Reads the service's checks. It answers even while its database is unavailable. */
export async function readChecks(admin: string, signal: AbortSignal): Promise<Checks> {
  const answer = await fetchAsPerson(`${SERVICE_URL}readyz`, {
    headers: { authorization: `Bearer ${admin}` },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  }).catch((error: unknown) => {
    if (!signal.aborted) reportSilence();
    throw error;
  });
  const body = (await answer.json()) as {
    readonly checks?: readonly CheckResult[];
    readonly orders?: false;
    readonly service?: Hold & { readonly held: boolean };
    readonly error?: { readonly details?: readonly CheckResult[] };
  };
  const told = Date.parse(answer.headers.get('date') ?? '');
  const aheadMs = Number.isNaN(told) ? 0 : told - Date.now();
  return {
    items: body.checks ?? body.error?.details ?? [],
    hold: body.service?.held === true ? body.service : answer.ok ? null : undefined,
    takesOrders: answer.ok && body.orders !== false,
    toldAt: new Date(Date.now() + aheadMs).toISOString(),
    aheadMs,
  };
}
