import { Group } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { Told } from '../../components/two-lines.tsx';
import { formatSeconds, withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { OrderDeeds } from './order-deeds.tsx';
import { OrderName } from './order-name.tsx';
import { SearchField } from './search-field.tsx';

const texts = operationsTexts.live;
const PAGE_SIZE = 50;
/** The sentences tell how long ago something was. */
const READ_EVERY_MS = 10_000;

/** The orders of all keys that are not final, oldest first, each with the reason why it stands still. */
export function LiveOrders() {
  const [search, setSearch] = useState<string | null>(null);
  const [showsTest, setShowsTest] = useState(false);
  const orders = usePages(
    'GET /admin/v1/tasks',
    { state: 'open', limit: PAGE_SIZE, mode: showsTest ? 'all' : 'live', ...(search === null ? {} : { search }) },
    (order) => order.task_id,
    { every: (items) => (items.length > 0 ? READ_EVERY_MS : false) },
  );
  return (
    <ListPanel
      pages={orders}
      title={texts.title}
      hint={texts.hint}
      empty={search === null ? texts.empty : texts.noneFound}
      aside={
        <Group gap="sm" maw="100%">
          <Toggle label={operationsTexts.showTest} isOn={showsTest} onChange={setShowsTest} />
          <SearchField label={texts.search} onSearch={setSearch} />
        </Group>
      }
      rowKey={(order) => order.task_id}
      columns={[
        { head: texts.heads.whose, phone: 'title', cell: (order) => <OrderName order={order} /> },
        {
          head: texts.heads.why,
          phone: 'note',
          cell: ({ standing }) => <Told>{withReadableTimes(standing?.sentence ?? '')}</Told>,
        },
        {
          head: texts.heads.age,
          phone: 'fact',
          numeric: true,
          cell: (order) => formatSeconds((Date.now() - Date.parse(order.created_at)) / 1000),
        },
        { head: texts.heads.price, phone: 'fact', numeric: true, cell: (order) => formatMoney(order.price) },
        { head: texts.heads.deeds, actions: true, cell: (order) => <OrderDeeds order={order} /> },
      ]}
    />
  );
}
