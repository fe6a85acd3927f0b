import type { TaskRow } from './task.ts';

/** An order as one of its further models would make it: the columns that its row gets when it goes on to that model. */
export type ModelOrder = Pick<
  TaskRow,
  'model_id' | 'input_json' | 'request_json' | 'lines_json' | 'price_basis_json' | 'price_list'
>;

/** The models of an order that named several. Stored with its route, because both change together. */
export interface OrderModels {
  /** The model that it named first. */
  readonly requested: string;
  /** Whether it also goes on to its next model when an upstream refuses its content. */
  readonly afterContentPolicy: boolean;
  /** The models that did not make it, in sequence. */
  readonly left: readonly LeftModel[];
  /** The models that it may still go to, in sequence. */
  readonly next: readonly ModelOrder[];
}

interface LeftModel {
  readonly model_id: string;
  /** Reason, for the customer, why this model did not make the order. */
  readonly reason: string;
}

/** Text in the `route_json` of every order that named several models, and of no other. */
export const NAMES_SEVERAL = '"models":{"requested":';
