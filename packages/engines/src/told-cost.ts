/** What an upstream says that an order cost: a decimal text, exactly as it was told. */
export type ToldCost =
  /** In US dollars. */
  | { readonly usd: string }
  /** In the upstream's own unit, whose price a route of the catalog may state. */
  | { readonly units: string };
