import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { Named, Told } from '../../components/two-lines.tsx';
import { NOT_KNOWN } from './cost-filter.ts';

type ModelReport = DataOf<'GET /admin/v1/models'>['items'][number];
type RouteReport = ModelReport['routes'][number];

interface RouteMargin {
  readonly key: string;
  readonly model: string;
  readonly engine: string;
  readonly upstreamModel: string | null;
  /** The order of the greatest loss. */
  readonly below: NonNullable<RouteReport['cost']>['below'];
  readonly what: string;
}

/** The routes of the engines that are set up at which orders cost more than their price, or an unknown amount. */
export function RouteMargins() {
  const models = useApi('GET /admin/v1/models', {});
  const items = models.data?.items.flatMap(marginsOf).toSorted((one, other) => lossOf(other) - lossOf(one));
  return (
    <ListPanel
      pages={{ ...atOnce(models), items }}
      title="Losses and unknown costs by route"
      hint="With your keys, before any order: by your prices and the upstreams’ price lists."
      empty="Each route of the engines that are set up states a cost that its price covers."
      rowKey={({ key }) => key}
      columns={[
        {
          head: 'Model',
          phone: 'title',
          cell: ({ model, engine, upstreamModel }) => (
            <Named name={model} more={upstreamModel === null ? engine : `${engine}: ${upstreamModel}`} />
          ),
        },
        { head: 'Price', numeric: true, cell: ({ below }) => below && <Money amount={below.price} /> },
        {
          head: 'Cost',
          numeric: true,
          cell: ({ below }) => (below === null ? NOT_KNOWN : <Money amount={below.cost} />),
        },
        { head: 'Margin', numeric: true, cell: (row) => row.below && <Margin amount={String(-lossOf(row))} /> },
        { head: 'Why it is listed', phone: 'note', cell: ({ what }) => <Told>{what}</Told> },
      ]}
    />
  );
}

function marginsOf({ model_id: id, name, routes }: ModelReport): RouteMargin[] {
  return routes.flatMap(({ configured, engine, model: upstreamModel, cost }, index) => {
    if (!configured || cost === null) return [];
    const route = { model: name, engine, upstreamModel };
    const { below, unknown } = cost;
    return [
      ...(below === null ? [] : [{ ...route, key: `${id} ${index}`, below, what: below.loss }]),
      ...(unknown === null ? [] : [{ ...route, key: `${id} ${index} unknown`, below: null, what: unknown }]),
    ];
  });
}

function lossOf({ below }: RouteMargin): number {
  return below === null ? 0 : Number((Number(below.cost) - Number(below.price)).toFixed(6));
}
