import { Type } from 'typebox';
import { AnyObject, Currency, MediaType, Money, Nullable, refTo, Text, type Wire } from './parts.ts';

export const PriceLine = Type.Object(
  {
    description: Type.String({ description: 'What is charged, in words.' }),
    unit: Type.String({ description: 'The unit of the quantity, such as image or output_second.' }),
    quantity: Type.String({ description: 'A decimal string.' }),
    unit_price: Type.String({ description: 'US dollars per unit, as a decimal string.' }),
    amount: Type.String({ description: 'US dollars, as a decimal string.' }),
  },
  { $id: 'PriceLine', description: 'One line of a price.' },
);

/** The basis of a price, in quotes, tasks and receipts. */
export const BASIS = {
  basis: Type.Enum(['list', 'route_cost'], {
    description:
      'list: the price list of the model. route_cost: what the cheapest configured route costs, because that is more. For an order with an upstream key of the account: list.',
  }),
  basis_route: Type.Optional(
    Type.Object(
      { engine: Text, model: Nullable(Text, "The upstream's name of the model.") },
      { description: 'The route whose cost is the price. Present if basis is route_cost.' },
    ),
  ),
};
const Basis = Type.Object(BASIS);
export type PriceBasis = Wire<typeof Basis>;

/** The consent to dearer routes, in tasks and receipts. */
export const CONSENT = {
  dearer: Type.Optional(
    Type.Object(
      {
        usual_amount: Type.String({
          description: 'US dollars: the amount of the quote, which is charged unless a dearer route makes the order.',
        }),
        route: Nullable(
          Type.Object({ engine: Text, model: Nullable(Text, "The upstream's name of the model.") }),
          'The dearer route that has the order; null if its route is not dearer.',
        ),
        reason: Nullable(Text, 'Why no cheaper route has the order; null if its route is not dearer.'),
      },
      { description: 'Present if the order allows dearer routes (allow_dearer).' },
    ),
  ),
};
const Consent = Type.Object(CONSENT);
export type ConsentView = Wire<typeof Consent>;

const Refusal = Nullable(
  Type.Object({ code: Text, message: Text, param: Nullable(Text) }),
  'Why the order would be refused now; null if it would be accepted, or a field that decides is missing.',
);

export const Quote = Type.Object(
  {
    model_id: Text,
    type: MediaType,
    action: Nullable(Text),
    currency: Currency,
    amount: Money,
    exact: Type.Boolean({
      description:
        'False if the charge depends on media that must be downloaded first, or on a length that the model chooses. Then amount is the maximum charge.',
    }),
    highest_amount: Type.Optional(
      Nullable(
        Money,
        'With allow_dearer or fallback_models: what the order holds, and the most that it is charged; null if that is above max_price, so that the order would be refused.',
      ),
    ),
    models: Type.Optional(
      Type.Array(Type.Object({ model_id: Text, amount: Money }), {
        description: 'With fallback_models: the price at each model that takes orders now, in sequence.',
      }),
    ),
    ...BASIS,
    lines: Type.Array(refTo(PriceLine)),
    upstream_key: Type.Boolean({
      description: "Whether the order would go to the account's own upstream key; amount is then the fee for that.",
    }),
    refusal: Refusal,
    input: AnyObject,
  },
  { $id: 'Quote', description: 'What an order would cost.' },
);
export type QuoteView = Wire<typeof Quote>;

export const QuoteList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        quote: Nullable(refTo(Quote), 'Null if the order is not valid.'),
        refusal: Refusal,
      }),
      { description: 'In the order of the request.' },
    ),
  },
  { $id: 'QuoteList', description: 'What several orders would cost, each by itself.' },
);
export type ComparedOrder = Wire<typeof QuoteList>['items'][number];
