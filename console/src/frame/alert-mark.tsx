import { OPEN_ALERTS } from '../api/open-alerts.ts';
import { useApi } from '../api/use-api.ts';
import { frameTexts } from '../texts/frame.ts';
import classes from './alert-mark.module.css';

/** How many alerts are open, at the link to the operations; nothing if none is. */
export function AlertMark() {
  const { data } = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={`${classes.mark} figures`}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">, {frameTexts.openAlerts(count)}</span>
    </span>
  );
}
