/** A further model on the stage: its price in US dollars, its engines, and its cost at those that state one. */
interface FurtherModel {
  readonly price: string;
  readonly engines: readonly string[];
  readonly costs?: StageMarket['costs'];
}

/** Prices of the model on the stage, which a test may change. */
export interface StageMarket {
  /** US dollars for a picture. */
  price: string;
  /** The cost of a picture at each engine that states one, in US dollars. */
  costs: Readonly<Record<string, string>>;
  readonly further?: Readonly<Record<string, FurtherModel>>;
  /** Whether upstreams make the pictures that they take. */
  readonly makes: boolean;
  readonly picture: Uint8Array;
}
