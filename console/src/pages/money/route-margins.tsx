import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Named, Told } from '../../components/words.tsx';
import { differenceOf, formatCount } from '../../format.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';
import classes from './route-margins.module.css';

type ModelReport = DataOf<'GET /admin/v1/models'>['items'][number];
type Cost = NonNullable<ModelReport['routes'][number]['cost']>;
type Below = NonNullable<Cost['below']>;

interface Route {
  readonly key: string;
  readonly model: string;
  readonly engine: string;
  readonly upstreamModel: string | null;
  /** The order with the greatest loss; null if none is known. */
  readonly below: Below | null;
  /** What was looked at, if the cost of some orders is not known. */
  readonly unknown: string | null;
}

const CHOSEN_LENGTH = -1;

/** The routes of the engines that are set up, at which orders cost more than their price, or an unknown amount. */
export function RouteMargins() {
  const models = useApi('GET /admin/v1/models', {});
  return (
    <Panel title="Upstream prices above yours" hint="By the price lists, before any order." flush>
      <AsSeen of={models} placeholder={<Skeleton h={120} m="md" aria-hidden="true" />}>
        {({ items }) => <Groups routes={items.flatMap(routesOf)} />}
      </AsSeen>
    </Panel>
  );
}

function Groups({ routes }: { readonly routes: readonly Route[] }) {
  const losing = routes
    .flatMap(({ below, ...route }) => (below === null ? [] : [{ ...route, below }]))
    .sort((one, other) => lossOf(other.below) - lossOf(one.below));
  const open = losing.filter(({ below }) => below.sold);
  const closed = losing.filter(({ below }) => !below.sold);
  const unknown = routes.filter((route) => route.unknown !== null);
  if (losing.length + unknown.length === 0)
    return <p className={classes.none}>Your prices cover every known upstream price.</p>;
  return (
    <>
      <Group
        one="1 upstream price is above yours, and DARKROOM_BELOW_COST_MODELS allows the loss"
        many="upstream prices are above yours, and DARKROOM_BELOW_COST_MODELS allows the loss"
        rows={open}
        columns={LOSS_COLUMNS}
        isOpen
      />
      <Group
        one="1 upstream price is above yours, so the model is not sold there"
        many="upstream prices are above yours, so the models are not sold there"
        rows={closed}
        columns={LOSS_COLUMNS}
      />
      <Group
        one="1 upstream price is not known for some orders"
        many="upstream prices are not known for some orders"
        rows={unknown}
        columns={UNKNOWN_COLUMNS}
      />
    </>
  );
}

/** One line for all of its routes, which opens. Empty without any. */
function Group<Row extends Route>({
  one,
  many,
  rows,
  columns,
  isOpen = false,
}: {
  readonly one: string;
  readonly many: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly isOpen?: boolean;
}) {
  if (rows.length === 0) return null;
  const text = rows.length === 1 ? one : `${formatCount(rows.length)} ${many}`;
  return (
    <details className={classes.group} open={isOpen}>
      <summary>{text}</summary>
      <DataTable label={text} rows={rows} rowKey={({ key }) => key} columns={columns} />
    </details>
  );
}

const MODEL: Column<Route> = {
  head: 'Model',
  phone: 'title',
  cell: ({ model, engine, upstreamModel }) => (
    <Named name={model} more={upstreamModel === null ? engine : `${engine}: ${upstreamModel}`} />
  ),
};
const LOSS_COLUMNS: readonly Column<Route & { readonly below: Below }>[] = [
  MODEL,
  { head: 'Such as', phone: 'note', cell: ({ below }) => <Told>{orderWords(below.example)}</Told> },
  { head: 'Price', numeric: true, cell: ({ below }) => <Money amount={below.price} /> },
  { head: 'Cost', numeric: true, cell: ({ below }) => <Money amount={below.cost} /> },
  { head: 'Margin', numeric: true, cell: ({ below }) => <Margin amount={String(-lossOf(below))} /> },
];
const UNKNOWN_COLUMNS: readonly Column<Route>[] = [
  MODEL,
  { head: 'Cost unknown for', phone: 'note', cell: ({ unknown }) => <Told>{unknown}</Told> },
];

function routesOf({ model_id: id, name, routes }: ModelReport): Route[] {
  return routes.flatMap(({ configured, engine, model: upstreamModel, cost }, index) => {
    if (!configured || cost === null || (cost.below === null && cost.unknown === null)) return [];
    return [{ key: `${id} ${index}`, model: name, engine, upstreamModel, below: cost.below, unknown: cost.unknown }];
  });
}

function lossOf({ cost, price }: Below): number {
  return differenceOf(cost, price);
}

/** Formats an order by the labels of its fields: `Resolution 1080p, 1 × Reference videos`. */
function orderWords(order: object): ReactNode {
  const parts = Object.entries(order).map(([name, value]: [string, unknown]) => {
    const label = fieldLabel(name);
    if (Array.isArray(value)) return `${value.length} × ${label}`;
    if (name === 'duration' && value === CHOSEN_LENGTH) return 'Length as the model chooses';
    if (typeof value === 'boolean') return value ? label : `without ${label}`;
    return typeof value === 'string' && value.includes(':') && name.endsWith('_url') ? label : `${label} ${value}`;
  });
  return parts.length === 0 ? 'Every order' : parts.join(', ');
}
