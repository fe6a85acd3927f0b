import { Link } from 'wouter';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { inWords } from '../../texts/in-words.ts';
import { saveReceipt } from './receipt-form.tsx';
import type { Scope } from './usage-figures.ts';

/** Every movement of money, newest first, with the receipts of charges. */
export function LedgerPanel({
  scope,
  hasReceipts,
}: {
  readonly scope: Scope;
  /** Whether the receipts of all its orders can be read. */
  readonly hasReceipts: boolean;
}) {
  // The history has one's own orders.
  const mayOpen = useMay()('POST /v1/images') && scope === 'key';
  return (
    <ListPanel
      pages={usePages('GET /v1/account/ledger', { scope, limit: 15 }, (entry) => entry.entry_id)}
      title="Ledger"
      hint="The balance is the sum of these entries."
      empty="No entries yet. The first order adds a hold for its price."
      more="Show older entries"
      rowKey={(entry) => entry.entry_id}
      columns={[
        { head: 'When', phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
        {
          head: 'Entry',
          phone: 'title',
          cell: ({ kind }) => (kind === 'correction' ? 'Credit taken back' : inWords(kind)),
        },
        {
          head: 'Order',
          phone: 'note',
          cell: ({ task_id: taskId, note, corrects }) =>
            taskId === null ? (
              <Told more={corrects !== null && `takes back ${corrects}`}>{note}</Told>
            ) : mayOpen ? (
              <Link href={`/history/${taskId}`}>{taskId}</Link>
            ) : (
              taskId
            ),
        },
        { head: 'Amount', phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.amount) },
      ]}
      deedsOnPhone="note"
      deeds={[
        hasReceipts && {
          word: 'Receipt',
          name: ({ task_id: taskId }) => `Receipt of ${taskId}`,
          isOffered: ({ kind, task_id: taskId }) => kind === 'charge' && taskId !== null,
          act: ({ task_id: id }) => saveReceipt(id ?? '', scope),
          failed: 'The receipt was not downloaded',
        },
      ]}
    />
  );
}
