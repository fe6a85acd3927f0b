import type { ParameterSchema } from '../../api/model.ts';

export interface OfferedAction {
  readonly action: string;
  readonly price: string;
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
}
