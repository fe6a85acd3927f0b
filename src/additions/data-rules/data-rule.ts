import type { DataRuleBody } from '@darkroom-service/contract/schemas';
import type { ProviderFacts } from './provider-facts.ts';

/** End of the name of an upstream's batch interface, which is an engine of its own. */
const BATCH_INTERFACE = /-batch$/;

/** An upstream, by the names that rules may use, and what is known of it. */
export interface Receiver {
  /** Name of the engine, which may be a named instance of the operator. */
  readonly engine: string;
  /** Kind of engine, as routes of the catalog name it. */
  readonly kind: string;
  readonly facts: ProviderFacts | null;
}

/** Returns the reasons why rules exclude an upstream, behind its name; null = it fits all of them. */
export function exclusionOf(rules: readonly DataRuleBody[], receiver: Receiver): string | null {
  const reasons = new Set(rules.flatMap((rule) => reasonsOf(rule, receiver)));
  return reasons.size === 0 ? null : `${receiver.kind}: ${[...reasons].join(', ')}`;
}

function reasonsOf(rule: DataRuleBody, { engine, kind, facts }: Receiver): string[] {
  const isNamed = (names: readonly string[]) =>
    [engine, kind].some((name) => names.includes(name) || names.includes(name.replace(BATCH_INTERFACE, '')));
  return [
    ...(rule.only === undefined || isNamed(rule.only) ? [] : ["it is not in 'only'"]),
    ...(rule.except === undefined || !isNamed(rule.except) ? [] : ["it is in 'except'"]),
    ...(facts?.in_service === true ? [] : reasonsOfFacts(rule, facts)),
  ];
}

/** Returns the reasons against an upstream outside of this service. Unknown facts fit no rule. */
function reasonsOfFacts(rule: DataRuleBody, facts: ProviderFacts | null): string[] {
  const { country = null, retention_days: days = null, training = null, passes_on = false } = facts ?? {};
  const reasons: string[] = [];
  const isAboutFacts = rule.country !== undefined || rule.retention !== undefined || rule.training === false;
  if (isAboutFacts && passes_on) reasons.push('it may pass orders on to the maker of the model');
  if (rule.country !== undefined) {
    const allowed = rule.country;
    if (country === null) reasons.push('where it processes data is unknown');
    else if (!country.every((one) => allowed.includes(one))) reasons.push(`it processes data in ${country.join(', ')}`);
  }
  if (rule.retention !== undefined) {
    if (days === null) reasons.push('how long it keeps data is unknown');
    else if (days > rule.retention) reasons.push(`it keeps data for up to ${days} days`);
  }
  if (rule.training === false && training !== false)
    reasons.push(training === null ? 'whether it trains on data is unknown' : 'it trains on data');
  return reasons;
}
