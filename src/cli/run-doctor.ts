import { systemClock } from '@darkroom-service/contract';
import { type Addition, tablesOf } from '../service/addition.ts';
import type { Check } from '../service/check.ts';
import type { Config } from '../service/config/config.ts';
import { ConfigFault } from '../service/config/config-fault.ts';
import { checkDataDirectory } from '../service/config/data-directory.ts';
import { acceptFinding, unknownNames } from '../service/doctor/expectation.ts';
import { usageFault } from './command-fault.ts';
import { type OutputOptions, show } from './output.ts';
import { readOwnConfig } from './own-config.ts';

interface DoctorOptions extends OutputOptions {
  readonly audit?: true;
  readonly details?: true;
  readonly production?: true;
  readonly accept?: readonly string[];
  readonly files: number;
}

const SIGNS = { ok: 'ok     ', week: 'week   ', warning: 'warning', failed: 'FAILED ' } as const;

/** Shows the result of each check when it is known. The exit code is 1 if one fails. */
export async function runDoctor(options: DoctorOptions, additions: readonly Addition[]): Promise<void> {
  const { accept = [] } = options;
  if (accept.length > 0 && options.production !== true)
    throw usageFault('--accept: expected together with --production');
  const checks: Check[] = [];
  for await (const found of runChecks(options, additions)) {
    const check = acceptFinding(found, accept);
    checks.push(check);
    if (options.json !== true) show(options, { json: check, text: line(check, options.details === true) });
  }
  const isOk = checks.every((check) => check.status !== 'failed');
  if (options.json === true) show(options, { json: { ok: isOk, checks }, text: '' });
  if (!isOk) process.exitCode = 1;
  const unknown = unknownNames(accept, checks);
  if (unknown.length > 0) throw usageFault(`--accept: no line of production is named ${unknown.join(', ')}`);
}

async function* runChecks(options: DoctorOptions, additions: readonly Addition[]): AsyncGenerator<Check> {
  const { config, settings } = checkSettings();
  yield settings;
  if (config === null) return;
  const { diagnose } = await import('../service/doctor/diagnosis.ts');
  const now = systemClock.now();
  const production = options.production === true;
  yield* diagnose(config, now, { additions, options, production });
  if (production) {
    const { judgeProduction } = await import('../service/doctor/production.ts');
    yield* judgeProduction(config, now);
  }
  if (options.audit !== true) return;
  const { audit } = await import('../service/doctor/audit.ts');
  yield* audit(config, now, {
    files: options.files,
    tables: tablesOf(additions),
    added: additions.flatMap((one) => one.audit ?? []),
    hooks: additions.flatMap((one) => one.hooks ?? []),
  });
}

/** Reads the settings. The other checks need them. */
function checkSettings(): { readonly config: Config | null; readonly settings: Check } {
  try {
    const config = readOwnConfig();
    checkDataDirectory(config.dataDirectory);
    return { config, settings: { name: 'settings', status: 'ok', found: 'all variables are valid', advice: null } };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const found = error.faults.map(({ variable, message }) => `${variable}: ${message}`).join('\n');
    const advice = 'Correct the variables, then run darkroom doctor again for the other checks.';
    return { config: null, settings: { name: 'settings', status: 'failed', found, advice } };
  }
}

/** Formats a check. Lines about many things are counted, and listed only with `--details`. */
function line({ name, status, weight, expected, found, details = [], advice }: Check, isWhole: boolean): string {
  const more = details.length === 0 ? [] : [`To list them in ${details.length} lines: darkroom doctor --details`];
  const lines = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...`${expected === undefined ? '' : 'found '}${found}`.split('\n'),
    ...(isWhole ? details : more),
    ...(advice === null ? [] : [advice]),
  ];
  return `${SIGNS[status === 'warning' ? (weight ?? status) : status]}  ${name}: ${lines.join('\n           ')}`;
}
