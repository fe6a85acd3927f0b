import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { reasonIn } from '../upstream/reasons.ts';

/** Whether a value of the order was written to this input of the graph. */
export type IsFilled = (node: string, input: string) => boolean;

interface Fault {
  readonly node: string;
  readonly facts: JsonObject;
}

/**
 * Reads `{ error: { type, message, details }, node_errors }`; in very old servers `error` is a string. A fault at an
 * input that the order filled is the customer's; every other one is the operator's.
 */
export function explainComfyError({ status, body }: Answer, isFilled: IsFilled = () => false): Explained | null {
  if (status !== 400) return null;
  const { error, node_errors: nodeErrors } = objectOf(body);
  const { type, message, details } = objectOf(error);
  const nodes = Object.entries(objectOf(nodeErrors)).map(([id, node]) => ({ id, node: objectOf(node) }));
  const first = nodes[0]?.node;
  const words =
    first === undefined ? [typeof error === 'string' ? error : message, details] : [first.class_type, detailsOf(first)];
  const faults = nodes.flatMap(({ id, node }) => faultsOf(node).map((facts) => ({ node: id, facts })));
  // All other types concern the graph: a node that is not installed, no output.
  const isGraph = typeof type === 'string' && type !== 'prompt_outputs_failed_validation';
  const isOurMistake = isGraph || faults.some((fault) => !isAtFilledInput(fault, isFilled));
  return {
    class: isOurMistake || faults.some(lacksUpload) ? 'upstream' : 'invalid_input',
    ...(isOurMistake ? { scope: 'route' } : {}),
    message:
      words.filter((word) => typeof word === 'string' && word !== '').join(': ') ||
      (reasonIn(body) ?? 'it refused the workflow'),
  };
}

/** Tells whether the server accepted a prompt only in part: it ignores the outputs whose nodes have faults. */
export function hasIgnoredOutputs(body: JsonValue | undefined): boolean {
  return Object.keys(objectOf(objectOf(body).node_errors)).length > 0;
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

function isAtFilledInput({ node, facts }: Fault, isFilled: IsFilled): boolean {
  const { input_name: input } = objectOf(facts.extra_info);
  return typeof input === 'string' && isFilled(node, input);
}

/** Tells whether the server has lost a file that was uploaded to it for this order. */
function lacksUpload({ facts: { details, message } }: Fault): boolean {
  return [details, message].some((text) => typeof text === 'string' && /Invalid image file/.test(text));
}
