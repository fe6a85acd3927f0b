import { Skeleton } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { call } from '../../api/client.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { formatDetail } from './format-detail.ts';
import { MoreButton } from './more-button.tsx';
import classes from './operations.module.css';
import { useAdminPages } from './use-admin-pages.ts';

const texts = operationsTexts.audit;
const PAGE_SIZE = 50;

/** Every act of an operator. */
export function AuditView() {
  const acts = useAdminPages(
    ['GET /admin/v1/audit'],
    (after, signal) =>
      call(
        'GET /admin/v1/audit',
        { query: { limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) } },
        { signal },
      ),
    (act) => act.audit_id,
  );
  if (acts.error !== null) return <ErrorNote error={acts.error} onRetry={() => void acts.refetch()} />;
  if (acts.items === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  if (acts.items.length === 0) {
    return (
      <EmptyState
        icon={<IconListDetails size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
        title={texts.empty}
        text={texts.emptyText}
      />
    );
  }
  return (
    <Panel title={operationsTexts.views.audit} hint={texts.hint} flush>
      <DataTable
        label={operationsTexts.views.audit}
        rows={acts.items}
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
            cell: (act) => <span className={classes.code}>{act.target}</span>,
          },
          { head: texts.heads.detail, phone: 'note', cell: (act) => formatDetail(act.detail) },
          { head: texts.heads.actor, phone: 'fact', cell: (act) => <span className={classes.code}>{act.actor}</span> },
        ]}
      />
      <MoreButton pages={acts} />
    </Panel>
  );
}
