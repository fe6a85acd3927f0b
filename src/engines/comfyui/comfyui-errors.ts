import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';

/** Inputs with such names select a file in the server's model folders. */
const MODEL_FILE_INPUT = /_name\d?$/;

/** Faults of the graph itself, which no value of an order can cause. */
const GRAPH_FAULTS = [
  'required_input_missing',
  'bad_linked_input',
  'return_type_mismatch',
  'exception_during_validation',
  'exception_during_inner_validation',
];

/** Reads `{ error: { type, message, details }, node_errors }`; in very old servers `error` is a string. */
export function explainComfyError({ status, body }: Answer): Explained | null {
  if (status !== 400) return null;
  const { error, node_errors: nodeErrors } = objectOf(body);
  const { type, message, details } = objectOf(error);
  const nodes = Object.values(objectOf(nodeErrors)).map(objectOf);
  const first = nodes[0];
  const words =
    first === undefined ? [typeof error === 'string' ? error : message, details] : [first.class_type, detailsOf(first)];
  const faults = nodes.flatMap(faultsOf);
  // All other types concern the graph: a node that is not installed, no output.
  const isGraph = typeof type === 'string' && type !== 'prompt_outputs_failed_validation';
  // The workflow or the server's model folder is misconfigured; the customer's input is not at fault.
  const isOurMistake = isGraph || faults.some((fault) => lacksModelFile(fault) || isGraphFault(fault));
  return {
    class: isOurMistake || faults.some(lacksUpload) ? 'upstream' : 'invalid_input',
    ...(isOurMistake ? { scope: 'route' } : {}),
    message: words.filter((word) => typeof word === 'string' && word !== '').join(': ') || 'it refused the workflow',
  };
}

function faultsOf(node: JsonObject): JsonObject[] {
  return Array.isArray(node.errors) ? node.errors.map((fault: JsonValue) => objectOf(fault)) : [];
}

function detailsOf(node: JsonObject): string {
  return faultsOf(node)
    .map(({ message, details }) =>
      [message, details].filter((word) => typeof word === 'string' && word !== '').join(': '),
    )
    .join('; ');
}

function isGraphFault({ type }: JsonObject): boolean {
  return typeof type === 'string' && GRAPH_FAULTS.includes(type);
}

/** The server has lost a file that was uploaded to it for this order. */
function lacksUpload({ details, message }: JsonObject): boolean {
  return [details, message].some((text) => typeof text === 'string' && /Invalid image file/.test(text));
}

function lacksModelFile({ type, extra_info: info }: JsonObject): boolean {
  const { input_name: input } = objectOf(info);
  return type === 'value_not_in_list' && typeof input === 'string' && MODEL_FILE_INPUT.test(input);
}
