import { useEffect } from 'react';
import { followChanges } from '../api/follow-changes.ts';
import { OPEN_ALERTS } from '../api/open-alerts.ts';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { formatMany } from '../format.ts';
import classes from './alert-mark.module.css';

/**
 * The number of open alerts, at the link to the operations; empty without any. It is on every page of an operator, so
 * it also follows the change events.
 */
export function AlertMark() {
  const { admin } = useSession().keys;
  useEffect(() => (admin === undefined ? undefined : followChanges(admin)), [admin]);
  const { data } = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={`${classes.mark} figures`}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">, {formatMany(count, 'open alert')}</span>
    </span>
  );
}
