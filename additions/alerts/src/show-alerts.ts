import { type OutputOptions, show, table, usageFault, withLocalData } from '@darkroom-service/darkroom/kernel-cli';
import { loopbackUrl } from '@darkroom-service/media';
import type { AlertView } from './alert-wire.ts';
import { listAlerts } from './list-alerts.ts';

interface AlertOptions extends OutputOptions {
  readonly state?: AlertView['state'];
  readonly kind?: AlertView['kind'];
  readonly limit: string;
}

const MOST = 1_000;

export async function showAlerts(options: AlertOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageFault(`--limit: expected a whole number from 1 to ${MOST}, found '${options.limit}'`);
  const { state = null, kind = null } = options;
  const { items, hasMore } = await withLocalData('refuse', ({ config, database }) => {
    const publicUrl = config.publicUrl ?? loopbackUrl(config.host, config.port);
    return listAlerts(database.read, { state, kind, limit, after: null }, publicUrl);
  });
  const plain = items.map((alert) => alert.alert_id).join('\n');
  show(options, { json: { items, limit, has_more: hasMore }, text: describe(items), plain });
}

function describe(items: readonly AlertView[]): string {
  if (items.length === 0) return 'There are no such alerts.';
  const rows = items.map((alert) => [
    alert.state,
    alert.kind,
    alert.began_at,
    alert.ended_at ?? '',
    alert.messages[0]?.status ?? 'nobody',
    [alert.summary, alert.action].filter((part) => part !== null).join(' '),
  ]);
  return table(['STATE', 'KIND', 'BEGAN', 'ENDED', 'TOLD', 'SUMMARY'], rows);
}
