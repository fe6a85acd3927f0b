import { fetchAsPerson } from '../../api/person.ts';
import { SERVICE_URL } from '../../api/service-url.ts';

const PATIENCE_MS = 10_000;

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** When it was last seen to work; absent = not seen yet. */
  readonly worked_at?: string;
  /** The results that it cannot make although it works. */
  readonly cannot_make?: string;
}

/** Why the service sends nothing. */
export interface Hold {
  readonly since?: string;
  readonly reason?: string;
  /** Whether it ends only as a successor or as a copy of another installation. */
  readonly is_copy?: boolean;
}

export interface Checks {
  readonly items: readonly Check[];
  /** Null = orders are sent; undefined = not told. */
  readonly hold: Hold | null | undefined;
  /** Whether orders can be placed. */
  readonly takesOrders: boolean;
  /** When it was told, by the service's clock. */
  readonly toldAt: string;
  /** How far the service's clock is ahead of this one, in milliseconds. */
  readonly aheadMs: number;
}

/** Asks the service what works. It answers also while its database is away. */
export async function readChecks(admin: string, signal: AbortSignal): Promise<Checks> {
  const answer = await fetchAsPerson(`${SERVICE_URL}readyz`, {
    headers: { authorization: `Bearer ${admin}` },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  const body = (await answer.json()) as {
    readonly checks?: readonly Check[];
    readonly orders?: false;
    readonly service?: Hold & { readonly held: boolean };
    readonly error?: { readonly details?: readonly Check[] };
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
