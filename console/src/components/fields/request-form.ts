import { useState } from 'react';
import { type FieldInput, type FormField, toInput, toValue } from '../../api/form-field.ts';
import { FORM_FIELDS } from '../../api/form-fields.ts';
import type { RequestOf } from '../../api/operations.ts';

export type FormOperation = keyof typeof FORM_FIELDS;
export type FieldName<O extends FormOperation> = O extends FormOperation ? keyof (typeof FORM_FIELDS)[O] : never;
type Values = Readonly<Record<string, unknown>>;

/** What the fields of a form show and change. */
export interface FormInput<O extends FormOperation> {
  readonly operation: O;
  readonly fields: Readonly<Record<string, FormField>>;
  readonly draft: Readonly<Record<string, FieldInput>>;
  change(name: FieldName<O>, input: FieldInput): void;
  /** Whether the path named the thing before: its name cannot be changed. */
  isFixed(name: FieldName<O>): boolean;
}

/** The input of a form for one operation, and the request that it makes. */
interface RequestForm<O extends FormOperation> extends FormInput<O> {
  /** Whether every required field has a value. */
  readonly isComplete: boolean;
  /** The request of the input. */
  readonly request: RequestOf<O>;
  /** The request with these fields only. */
  requestOf(names: readonly FieldName<O>[]): RequestOf<O>;
  /** The request with the changed fields only, so that two people do not undo each other's changes. */
  readonly changes: RequestOf<O>;
  readonly hasChanges: boolean;
}

/**
 * Holds the input of a form for an operation, whose fields are those of its request.
 * @param given values of the API with which the form begins
 * @param whenEmpty values that are sent for emptied fields
 */
export function useRequestForm<O extends FormOperation>(
  operation: O,
  given: object,
  whenEmpty: Values = {},
): RequestForm<O> {
  const fields: Readonly<Record<string, FormField>> = FORM_FIELDS[operation];
  const entries = Object.entries(fields);
  const [initial] = useState(() => {
    const values = given as Values;
    return Object.fromEntries(entries.map(([name, field]) => [name, toInput(field, values[name])]));
  });
  const [draft, setDraft] = useState<RequestForm<O>['draft']>(initial);
  const read = (name: string, field: FormField, from = draft) => toValue(field, from[name] ?? '') ?? whenEmpty[name];
  const isChanged = (name: string, field: FormField) =>
    JSON.stringify(read(name, field)) !== JSON.stringify(read(name, field, initial));
  const partOf = (isIn: (name: string, field: FormField) => boolean) => {
    const part = entries.filter(([name, field]) => isIn(name, field) && read(name, field) !== undefined);
    return Object.fromEntries(part.map(([name, field]) => [name, read(name, field)]));
  };
  const path = partOf((_, { inPath }) => inPath === true);
  const body = partOf((_, { inPath }) => inPath !== true);
  const changed = partOf((name, field) => field.inPath !== true && isChanged(name, field));
  return {
    operation,
    fields,
    draft,
    change: (name, input) => setDraft((before) => ({ ...before, [name]: input })),
    isFixed: (name) => fields[name as string]?.inPath === true && initial[name as string] !== '',
    isComplete: entries.every(([name, field]) => field.required !== true || read(name, field) !== undefined),
    request: { path, body } as unknown as RequestOf<O>,
    requestOf: (names) =>
      ({ path, body: partOf((name) => names.includes(name as FieldName<O>)) }) as unknown as RequestOf<O>,
    changes: { path, body: changed } as unknown as RequestOf<O>,
    hasChanges: Object.keys(changed).length > 0,
  };
}
