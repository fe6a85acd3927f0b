import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { costOrdersAddress, NOTES } from '../../components/orders/cost-filter.ts';
import { Named } from '../../components/words.tsx';
import { formatCount } from '../../format.ts';

/** The losses that happened within 30 days, by model and upstream, the greatest first. */
export function Losses() {
  const costs = useApi('GET /admin/v1/costs', { query: { group_by: 'model_id,engine' } });
  const items = costs.data?.items
    .filter(({ margin, below_cost: below }) => Number(margin) < 0 || below > 0)
    .toSorted((one, other) => Number(one.margin) - Number(other.margin));
  if (items?.length === 0) return null;
  return (
    <ListPanel
      pages={{ ...singlePage(costs, ({ model_id: model, engine }) => `${model} ${engine}`), items }}
      title="Losses of the last 30 days"
      hint="Models and upstreams at which orders cost more than they earned."
      empty=""
      columns={[
        {
          head: 'Model',
          phone: 'title',
          cell: ({ model_id: model = '', engine = '' }) => <Named name={model} more={engine} />,
        },
        {
          head: 'Orders',
          phone: 'note',
          cell: ({ model_id = '', engine = '', orders, below_cost: below }) => (
            <Link href={costOrdersAddress({ model_id, engine, ...(below > 0 ? { note: 'below_cost' as const } : {}) })}>
              {below > 0 ? NOTES.below_cost.told(formatCount(below)) : formatCount(orders)}
            </Link>
          ),
        },
        { head: 'Revenue', numeric: true, cell: ({ revenue }) => <Money amount={revenue} /> },
        { head: 'Cost', numeric: true, cell: ({ cost }) => <Money amount={cost} /> },
        { head: 'Margin', phone: 'aside', numeric: true, cell: ({ margin }) => <Margin amount={margin} /> },
      ]}
    />
  );
}
