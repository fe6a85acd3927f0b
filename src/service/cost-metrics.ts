import { MICROS_PER_DOLLAR } from '@darkroom-service/contract';
import { Counter, type Registry } from 'prom-client';
import type { TaskFigures } from '../tasks/task-figures.ts';

/** Registers the metrics of the costs of live orders at their upstreams, as counted by this process. */
export function createCostMetrics(registry: Registry): TaskFigures['orderCost'] {
  const ofEngine = { labelNames: ['engine'] as const, registers: [registry] };
  const ofModel = { labelNames: ['engine', 'model'] as const, registers: [registry] };
  const told = new Counter({
    ...ofEngine,
    name: 'darkroom_upstream_cost_dollars_total',
    help: 'What upstreams said that live orders cost, in US dollars, of orders that ended in this process.',
  });
  const earned = new Counter({
    ...ofEngine,
    name: 'darkroom_upstream_charged_dollars_total',
    help: 'What customers were charged for the orders whose upstream said what they cost, in US dollars.',
  });
  const belowCost = new Counter({
    ...ofEngine,
    name: 'darkroom_orders_below_cost_total',
    help: 'Live orders that cost more at their upstream than their customer was charged, in this process.',
  });
  const differing = new Counter({
    ...ofEngine,
    name: 'darkroom_orders_cost_differs_total',
    help: 'Live orders whose upstream told a cost more than 5 % above or below what the catalog expects, in this process.',
  });
  const revenue = new Counter({
    ...ofModel,
    name: 'darkroom_order_revenue_dollars_total',
    help: 'What customers were charged for live orders of known outcome whose cost is told or expected, in US dollars, in this process.',
  });
  const cost = new Counter({
    ...ofModel,
    name: 'darkroom_order_cost_dollars_total',
    help: 'What these orders cost: as the upstream told, else as the catalog expects, in US dollars. Also of orders that failed after they were billed.',
  });
  const withoutCost = new Counter({
    ...ofModel,
    name: 'darkroom_order_revenue_without_cost_dollars_total',
    help: 'What customers were charged for live orders whose cost is neither told nor expected, in US dollars, in this process.',
  });
  const unknown = new Counter({
    ...ofModel,
    name: 'darkroom_unknown_outcome_cost_dollars_total',
    help: 'What live orders of unknown outcome cost if their upstreams made them, in US dollars, in this process.',
  });
  return (order) => {
    const { engine, model, charged } = order;
    if (order.told !== null) {
      told.inc({ engine }, order.told / MICROS_PER_DOLLAR);
      earned.inc({ engine }, charged / MICROS_PER_DOLLAR);
    }
    if (order.belowCost) belowCost.inc({ engine });
    if (order.differs) differing.inc({ engine });
    const known = order.told ?? order.expected;
    if (order.outcome === 'unknown') unknown.inc({ engine, model }, (known ?? 0) / MICROS_PER_DOLLAR);
    else if (known === null) withoutCost.inc({ engine, model }, charged / MICROS_PER_DOLLAR);
    if (order.outcome === 'unknown' || known === null) return;
    revenue.inc({ engine, model }, charged / MICROS_PER_DOLLAR);
    cost.inc({ engine, model }, known / MICROS_PER_DOLLAR);
  };
}
