import type { ImageOrder, PriceQuestion } from './generated/interface.ts';

/**
 * The models of a catalog by type and id, each with its fields. `darkroom-types` writes them for the catalog of a
 * running service.
 */
export interface ModelTypes {
  readonly image: object;
  readonly video: object;
}

/** The fields that every order accepts besides those of the model. */
export type ServiceFields = {
  readonly [Name in
    | 'metadata'
    | 'end_user'
    | 'webhook_url'
    | 'max_price'
    | 'wait_for_parent'
    | 'simulate']?: ImageOrder[Name];
};

/** The fields of a model that the types do not know. */
export type OpenFields = { readonly [Field in Exclude<keyof PriceQuestion, 'model_id'>]?: PriceQuestion[Field] };

/**
 * An order for a model. The fields and values of a known model are checked; any other id may be ordered with any field.
 */
export type OrderFor<Known, Id extends string> = { readonly model_id: Id } & (Id extends keyof Known
  ? Known[Id] & ServiceFields
  : OpenFields);

/** An order in which every field of the model is optional, as a quote accepts it. */
export type QuestionFor<Known, Id extends string> = { readonly model_id: Id } & (Id extends keyof Known
  ? FieldsOf<Known[Id]> & ServiceFields & ActionFields
  : OpenFields);

/** The id of a known model, or any other text. */
export type ModelId<Known> = Extract<keyof Known, string> | (string & {});

type ActionFields = { readonly [Name in 'action' | 'parent_task_id' | 'index']?: PriceQuestion[Name] };
type FieldsOf<Fields> = Fields extends unknown ? Partial<Fields> : never;
