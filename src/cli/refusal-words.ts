import { TASK_ID } from '@darkroom-service/contract';
/** A refusal by the service, as an error body contains it. */
export interface Refusal {
  readonly message: string;
  readonly param?: string | null;
  readonly details?: readonly object[];
}

interface Fault {
  readonly param: string | null;
  readonly message: string;
}

/** Requests that messages of the service advise, and the same in the words of the command line. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/Send the order to POST \/v1\/(image|video)s/g, 'Order it with darkroom $1'],
  [new RegExp(`(?:Retrieve it with )?GET /v1/(?:image|video)s/(${TASK_ID})`, 'g'), 'darkroom tasks show $1'],
  [/from GET \/v1\/models/g, 'from darkroom models'],
  [/GET \/v1\/models\/\{model_id\}/g, 'darkroom models <model_id>'],
  [/GET \/v1\/models/g, 'darkroom models'],
  [/Upload media with POST \/v1\/files and reference them as upload:<file_id>/g, 'Name a local file instead'],
  [/works only under \/admin\/v1/g, 'orders nothing'],
];

/** Fields that are arguments of the command instead of options. */
const ARGUMENTS = ['prompt', 'task_id', 'parent_task_id', 'model_id', 'action'];

/** Prefix of the field of an order in a file of orders. The message names the line too. */
const LINE = /^line \d/;

/** Formats a refusal in one line for each fault, with the field that each concerns. */
export function explain(refusal: Refusal): string {
  return faultsOf(refusal)
    .map(({ param, message }) => (param === null || isSentence(message, param) ? message : `${param}: ${message}`))
    .join('\n');
}

/**
 * Formats a refusal of an order or a list for the command line: names options instead of fields, and commands instead
 * of requests.
 */
export function explainAsCommand(refusal: Refusal): string {
  return faultsOf(refusal).map(asCommand).join('\n');
}

/** Tells whether a message is clear without the name of the field in front. */
function isSentence(message: string, param: string): boolean {
  return /^[A-Z]/.test(message) || message.includes(param);
}

function faultsOf(refusal: Refusal): Fault[] {
  const faults = (refusal.details ?? []).filter((detail) => 'message' in detail && 'param' in detail);
  const all = (faults.length > 1 ? faults : [refusal]) as { param?: string | null; message: string }[];
  return all.map(({ param, message }) => ({ param: param ?? null, message }));
}

function asCommand({ param, message }: Fault): string {
  const text = COMMANDS.reduce((said, [request, command]) => said.replaceAll(request, command), message);
  if (param === null || ARGUMENTS.includes(param) || LINE.test(param)) return text;
  const begins = [`${param}: `, `'${param}' `, `${param} `].find((begin) => text.startsWith(begin));
  if (begins !== undefined)
    return `${optionFor(param)}${begins.includes(':') ? ': ' : ' '}${text.slice(begins.length)}`;
  return text.includes(`'${param}'`) ? text : `${optionFor(param)}: ${text}`;
}

/** Returns the option for a field: `simulate.seconds` is part of the option `--simulate`. */
function optionFor(param: string): string {
  const [field = '', ...parts] = param.split('.');
  return [`--${field.replaceAll('_', '-')}`, ...parts].join(' ');
}
