import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remedyOf } from '../condition.ts';
import { ALERT_RULES, type AlertRule } from './alert-rules.ts';

/** The file that `npm run alert:rules` writes from the list of rules and the alerts of the service. */
const TARGET = join(import.meta.dirname, '../../../../deploy/monitoring/alerts.yaml');
/** Example address of the service, as in the other files of `deploy/`. */
const RUNBOOK = 'https://pictures.example.com/docs/runbook';
const HEAD = `# Written by "npm run alert:rules" from alert-rules.ts and the alerts of the service. "page" needs a person now, "ticket"
# within a working day. Replace pictures.example.com by your address.
groups:
  - name: darkroom
    rules:`;

/** Returns the content of `alerts.yaml`. Strings of JSON are strings of YAML. */
export function alertRulesYaml(): string {
  return `${[HEAD, ...ALERT_RULES.map(ruleYaml)].join('\n')}\n`;
}

function ruleYaml({ name, expression, lasts, severity, kind, summary, action }: AlertRule): string {
  const advice = action ?? remedyOf(kind ?? '').action;
  return `      - alert: ${name}
        expr: ${JSON.stringify(expression)}${lasts === null ? '' : `\n        for: ${lasts}`}
        labels:
          severity: ${severity}
        annotations:
          summary: ${JSON.stringify(summary)}
          action: ${JSON.stringify(advice)}
          runbook_url: ${RUNBOOK}#${kind ?? 'rules-of-prometheus'}
`;
}

if (import.meta.main) writeFileSync(TARGET, alertRulesYaml());
