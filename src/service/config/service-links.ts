/** Patterns for names and values of Kubernetes variables; both must match. */
const FORMS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/_SERVICE_HOST$/, /^[\w.:-]+$/],
  [/_SERVICE_PORT(_[A-Z0-9_]+)?$/, /^\d+$/],
  [/_PORT(_\d+_(TCP|UDP|SCTP))?$/, /^(tcp|udp|sctp):\/\/\S+$/],
  [/_PORT_\d+_(TCP|UDP|SCTP)_PROTO$/, /^(tcp|udp|sctp)$/],
  [/_PORT_\d+_(TCP|UDP|SCTP)_PORT$/, /^\d+$/],
  [/_PORT_\d+_(TCP|UDP|SCTP)_ADDR$/, /^[\w.:-]+$/],
];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Removes the variables that Kubernetes sets for every Service whose name begins with `darkroom`, such as
 * `DARKROOM_PORT=tcp://10.0.0.1:8080`: they look like settings but are not.
 */
export function withoutServiceLinks(environment: Environment): { own: Environment; serviceLinks: string[] } {
  const entries = Object.entries(environment);
  const isLink = ([name, value = '']: [string, string | undefined]) =>
    name.startsWith('DARKROOM_') && FORMS.some(([ofName, ofValue]) => ofName.test(name) && ofValue.test(value.trim()));
  return {
    own: Object.fromEntries(entries.filter((entry) => !isLink(entry))),
    serviceLinks: entries
      .filter(isLink)
      .map(([name]) => name)
      .sort(),
  };
}
