import { call } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { AdminList } from './admin-list.tsx';
import { formatDetail } from './format-detail.ts';
import classes from './operations.module.css';
import { useAdminPages } from './use-admin-pages.ts';

const texts = operationsTexts.audit;
const PAGE_SIZE = 50;

/** Every act of an operator. */
export function AuditView() {
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const names = new Map(keys.data?.items.map(({ key_id: id, name }) => [id, name]));
  const acts = useAdminPages(
    ['GET /admin/v1/audit'],
    (after, signal) => {
      const query = { limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) };
      return call('GET /admin/v1/audit', { query }, { signal });
    },
    (act) => act.audit_id,
  );
  return (
    <AdminList
      pages={acts}
      title={operationsTexts.views.audit}
      hint={texts.hint}
      empty={texts.empty}
      rowKey={(act) => act.audit_id}
      columns={[
        {
          head: texts.heads.when,
          phone: 'aside',
          cell: (act) => <span className="figures">{formatMoment(act.created_at)}</span>,
        },
        { head: texts.heads.act, phone: 'title', cell: (act) => act.act },
        {
          head: texts.heads.target,
          phone: 'note',
          cell: ({ target }) =>
            target !== null && (names.get(target) ?? <span className={classes.code}>{target}</span>),
        },
        { head: texts.heads.detail, phone: 'note', cell: (act) => formatDetail(act.detail) },
        { head: texts.heads.actor, phone: 'fact', cell: ({ actor }) => names.get(actor) ?? actor },
      ]}
    />
  );
}
