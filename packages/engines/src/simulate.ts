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
  /** Whether an engine adds its understanding of the order to the output, if it can. */
  readonly explain?: boolean;
}
