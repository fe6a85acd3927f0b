import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';

/** Not verified against a live server: inputs with such names select a file in the server's model folders. */
const UNVERIFIED = { modelFileInput: /_name\d?$/ };

/** Reads `{ error: { type, message, details }, node_errors }`; in very old servers `error` is a string. */
export function explainComfyError({ status, body }: Answer): Explained | null {
  if (status !== 400) return null;
  const { error, node_errors: nodeErrors } = objectOf(body);
  const { type, message, details } = objectOf(error);
  const nodes = Object.values(objectOf(nodeErrors)).map(objectOf);
  const first = nodes[0];
  const words =
    first === undefined ? [typeof error === 'string' ? error : message, details] : [first.class_type, detailsOf(first)];
  const isOurMistake = type === 'missing_node_type' || nodes.some((node) => faultsOf(node).some(lacksModelFile));
  return {
    // The workflow or the server's model folder is misconfigured; the customer's input is not at fault.
    class: isOurMistake ? 'upstream' : 'invalid_input',
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

function lacksModelFile({ type, extra_info: info }: JsonObject): boolean {
  const { input_name: input } = objectOf(info);
  return type === 'value_not_in_list' && typeof input === 'string' && UNVERIFIED.modelFileInput.test(input);
}
