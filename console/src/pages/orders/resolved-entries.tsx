import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { OrderName } from '../../components/orders/order-name.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatMinute } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.unknown;
const PAGE_SIZE = 30;

/** What operators found about orders of unknown outcome. */
export function ResolvedEntries({ mode }: { readonly mode: 'live' | 'all' }) {
  const entries = usePages(
    'GET /admin/v1/reconciliation',
    { limit: PAGE_SIZE, mode, resolved: 'true' },
    (entry) => entry.reconciliation_id,
  );
  return (
    <ListPanel
      pages={entries}
      title={texts.resolvedOnes}
      empty={texts.noneResolved}
      rowKey={(entry) => entry.reconciliation_id}
      columns={[
        { head: texts.heads.when, phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
        { head: texts.heads.whose, phone: 'title', cell: (entry) => <OrderName order={entry} /> },
        {
          head: texts.heads.what,
          phone: 'note',
          cell: ({ kind, engine, resolved_at: at, resolution }) => (
            <Told more={at !== null && texts.resolved(formatMinute(at), resolution ?? '')}>
              {texts.at(texts.kinds[kind], engine)}
            </Told>
          ),
        },
        { head: texts.heads.price, phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.price) },
      ]}
    />
  );
}
