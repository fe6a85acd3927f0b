import { Button, Text } from '@mantine/core';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { formatCount, formatMinute } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { atOnce, ListPanel } from '../list-panel.tsx';
import { formatMoney } from '../money.tsx';
import { Told } from '../two-lines.tsx';

type Cause = DataOf<'GET /admin/v1/reconciliation/causes'>['items'][number];

const texts = operationsTexts.unknown;

/** The entries that nobody has resolved, by cause. Empty if there are none. */
export function UnknownCauses({
  mode,
  onResolve,
}: {
  readonly mode: 'live' | 'all';
  readonly onResolve: (ids: readonly string[]) => void;
}) {
  const causes = useApi('GET /admin/v1/reconciliation/causes', { query: { mode } }, { keep: true });
  if (causes.data === undefined ? causes.error === null : causes.data.items.length === 0) return null;
  return (
    <ListPanel
      pages={atOnce(causes)}
      title="Unknown outcomes by cause"
      hint="Compare these orders with the bills of their upstreams. None of them is sent again."
      empty=""
      rowKey={({ kind, engine, cause }) => [kind, engine, cause].join()}
      columns={[
        { head: 'Orders', phone: 'aside', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: texts.heads.price, phone: 'fact', numeric: true, cell: ({ price }) => formatMoney(price) },
        { head: texts.heads.what, phone: 'title', cell: (cause) => <CauseText cause={cause} /> },
        { head: texts.heads.whose, phone: 'note', cell: ({ customers }) => customers.join(', ') },
        {
          head: texts.heads.when,
          phone: 'note',
          cell: ({ oldest_at: from, newest_at: to }) => texts.span(formatMinute(from), formatMinute(to)),
        },
        {
          head: 'Actions',
          actions: true,
          cell: ({ ids, orders }) => (
            <Button variant="default" size="xs" onClick={() => onResolve(ids)}>
              {texts.resolveAll(ids.length, orders)}
            </Button>
          ),
        },
      ]}
    />
  );
}

function CauseText({ cause: { kind, engine, cause, models } }: { readonly cause: Cause }) {
  return (
    <div>
      <Told more={`${cause} (${models.join(', ')})`}>{texts.at(texts.kinds[kind], engine)}</Told>
      <Text size="xs">{texts.advice[kind]}</Text>
    </div>
  );
}
