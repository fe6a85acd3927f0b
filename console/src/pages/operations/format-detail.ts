type Fields = Readonly<Record<string, unknown>>;

/** `{ mode: "test", before: { rpm: 60 }, after: { rpm: 120 } }` -> `mode: test, rpm: 60 → 120` */
export function formatDetail({ before, after, ...facts }: Fields): string {
  const [earlier, later] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].map((name) => {
    const value = later.get(name) ?? 'none';
    return `${name}: ${before === undefined ? value : `${earlier.get(name) ?? 'none'} → ${value}`}`;
  });
  return [...new Set([...leavesOf(facts).map(([name, value]) => `${name}: ${value}`), ...changes])].join(', ');
}

/** `{ spend_limits: { day: "20.00", month: null } }` -> `[["spend limits day", "20.00"]]` */
function leavesOf(value: unknown, name = ''): readonly (readonly [name: string, value: string])[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value))
    return [[name, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(' ')]];
  return Object.entries(value).flatMap(([field, held]) =>
    leavesOf(held, `${name} ${field.replaceAll('_', ' ')}`.trim()),
  );
}
