import { Link } from 'wouter';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Moment } from '../../components/two-lines.tsx';
import { usageTexts } from '../../texts/usage.ts';
import type { Scope } from './scope.ts';

const texts = usageTexts.ledger;
const PAGE_SIZE = 15;

/** Every movement of money, newest first. */
export function LedgerPanel({ scope }: { readonly scope: Scope }) {
  return (
    <ListPanel
      pages={usePages('GET /v1/account/ledger', { scope, limit: PAGE_SIZE }, (entry) => entry.entry_id)}
      title={texts.title}
      hint={texts.hint}
      empty={texts.empty}
      more={texts.more}
      rowKey={(entry) => entry.entry_id}
      columns={[
        { head: texts.when, phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
        { head: texts.kind, phone: 'title', cell: (entry) => texts.kinds[entry.kind] },
        {
          head: texts.task,
          phone: 'note',
          cell: ({ task_id: taskId, note }) =>
            taskId === null ? (
              <span className="free-text">{note}</span>
            ) : (
              <Link href={`/history/${taskId}`}>{taskId}</Link>
            ),
        },
        { head: texts.amount, phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.amount) },
      ]}
    />
  );
}
