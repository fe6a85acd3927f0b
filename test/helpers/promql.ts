/** The metrics, labels and label values that a PromQL expression names. */
export interface Query {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  /** Pairs of a label and a value that it is compared with; none for regular expressions. */
  readonly values: readonly (readonly [label: string, value: string])[];
}

const WORDS =
  /^(?:by|without|on|ignoring|and|or|unless|sum|max|min|count|avg|rate|increase|deriv|absent|vector|histogram_quantile)$/;

/** Reads what an expression names. It knows the functions that the files in `deploy/` use. */
export function readQuery(expression: string): Query {
  const labels: string[] = [];
  const values: [string, string][] = [];
  const rest = expression
    .replace(/\{([^}]*)\}/g, (_, selector: string) => {
      for (const [, label = '', operator, value = ''] of selector.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) {
        labels.push(label);
        if (operator === '=' || operator === '!=') values.push([label, value]);
      }
      return ' ';
    })
    .replace(/\[[^\]]*\]|\boffset \w+/g, ' ')
    .replace(/\b(?:by|without|on)\s*\(([^)]*)\)/g, (_, names: string) => {
      labels.push(...names.split(',').map((name) => name.trim()));
      return ' ';
    });
  const metrics = (rest.match(/[a-zA-Z_][\w:]*/g) ?? []).filter((word) => !WORDS.test(word));
  return { metrics: [...new Set(metrics)], labels: [...new Set(labels)], values };
}
