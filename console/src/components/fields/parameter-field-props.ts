import type { CatalogModel, JsonValue, ParameterSchema, Values } from '../../api/model.ts';

export interface ParameterFieldProps {
  readonly name: string;
  readonly schema: ParameterSchema;
  /** Null while it is left to the model. */
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
  readonly fault?: string | undefined;
  /** It has to be said: nothing is left to the model. */
  readonly required?: boolean | undefined;
  /** With these, a choice that would not go with the rest says so beforehand. */
  readonly model?: CatalogModel | undefined;
  readonly values?: Values | undefined;
}
