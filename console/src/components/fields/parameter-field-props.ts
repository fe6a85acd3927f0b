import type { JsonValue } from '@darkroom-service/contract/json';
import type { CatalogModel, ParameterSchema, Values } from '../../api/model.ts';

export interface ParameterFieldProps {
  readonly name: string;
  readonly schema: ParameterSchema;
  /** Null if left to the model. */
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
  readonly fault?: string | undefined;
  /** Whether a value is required. */
  readonly required?: boolean | undefined;
  /** The other values, to mark options that would conflict with them. */
  readonly model?: CatalogModel | undefined;
  readonly values?: Values | undefined;
}
