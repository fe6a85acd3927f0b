/** A test key's instruction on how an order ends. */
export interface Simulate {
  readonly seconds: number;
  readonly outcome:
    | 'succeeded'
    | 'content_policy'
    | 'upstream_error'
    | 'timeout'
    | 'outcome_unknown'
    | 'stuck'
    | 'late';
  /** Whether an engine that can should add to the output how it understood the order. */
  readonly explain?: boolean;
}
