/** Prices of the model on the stage, which a test may change. */
export interface StageMarket {
  /** US dollars for a picture. */
  price: string;
  /** The cost of a picture at each engine that states one, in US dollars. */
  costs: Readonly<Record<string, string>>;
  /** Prices of further models in US dollars, and the engines of each. */
  readonly further?: Readonly<Record<string, { readonly price: string; readonly engines: readonly string[] }>>;
  /** Whether upstreams make the pictures that they take. */
  readonly makes: boolean;
  readonly picture: Uint8Array;
}
