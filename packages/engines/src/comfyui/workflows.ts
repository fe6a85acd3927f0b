import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decodeText, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { EngineError } from '../engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import type { IsFilled } from './comfyui-errors.ts';

/** A graph in ComfyUI's API format, and which of its inputs an order may set. */
export interface Workflow {
  readonly name: string;
  readonly graph: JsonObject;
  /** Parameter name -> the inputs it is written to, each as node and input. */
  readonly parameters: Readonly<Record<string, readonly (readonly [node: string, input: string])[]>>;
}

interface Workflows {
  /**
   * Loads a workflow. It is read again each time, so that an operator's changes take effect at once. @throws
   * EngineError with `took: 'no'`
   */
  load(name: string): Promise<Workflow>;
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/** Creates a reader of `<name>.json` from the last directory that contains it. */
export function createWorkflows(directories: readonly string[]): Workflows {
  return {
    async load(name) {
      if (!NAME.test(name)) throw misconfigured(`'${name}' cannot be the name of a workflow`);
      for (const directory of directories.toReversed()) {
        const bytes = await readFile(join(directory, `${name}.json`)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw misconfigured(`the workflow ${name} cannot be read (${error.code})`);
        });
        if (bytes !== null) return readWorkflow(name, textOf(name, bytes));
      }
      throw misconfigured(`there is no workflow ${name}: put ${name}.json into workflows/ of the catalog directory`);
    },
  };
}

/** Parses a workflow file. @throws EngineError with `took: 'no'` if the file is not a valid workflow */
export function readWorkflow(name: string, text: string): Workflow {
  const { graph, parameters } = objectOf(parse(name, text));
  const nodes = objectOf(graph);
  if (Object.keys(nodes).length === 0) throw misconfigured(`the workflow ${name} has no graph`);
  for (const [id, node] of Object.entries(nodes)) {
    const { class_type: type, inputs } = objectOf(node);
    if (typeof type === 'string' && typeof inputs === 'object' && inputs !== null) continue;
    const hint = 'export it with "Export (API)"';
    throw misconfigured(`node ${id} of the workflow ${name} has no class_type and inputs: ${hint}`);
  }
  const inputs = Object.entries(objectOf(parameters)).map(([parameter, value]) => {
    const list = Array.isArray(value) ? value : [];
    if (list.length === 0 || !list.every((input: JsonValue) => isNodeInput(input, nodes))) {
      throw misconfigured(`${parameter} of the workflow ${name}: expected a list of [node, input] of its graph`);
    }
    return [parameter, list as readonly [string, string][]] as const;
  });
  return { name, graph: nodes, parameters: Object.fromEntries(inputs) };
}

/** Returns the graph filled with an order's values. Values are set as JSON, never inserted into text. */
export function fillWorkflow(workflow: Workflow, input: JsonObject): JsonObject {
  const graph = structuredClone(workflow.graph) as Record<string, { inputs: Record<string, JsonValue> }>;
  for (const [name, value] of Object.entries(input)) {
    const inputs = workflow.parameters[name];
    if (inputs === undefined) throw misconfigured(`the workflow ${workflow.name} has no parameter ${name}`);
    for (const [node, inputName] of inputs) {
      const found = graph[node];
      if (found !== undefined) found.inputs[inputName] = value;
    }
  }
  return graph as unknown as JsonObject;
}

/** Tells which inputs of the graph an order's values fill. Those of `fixed` are the operator's. */
export function inputsFilledBy(workflow: Workflow, input: JsonObject, fixed: JsonObject): IsFilled {
  const places = Object.entries(input).flatMap(([name, value]) =>
    isDeepStrictEqual(value, fixed[name]) ? [] : (workflow.parameters[name] ?? []),
  );
  return (node, name) => places.some(([id, input]) => id === node && input === name);
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return decodeText(bytes, `the workflow ${name}`);
  } catch (error) {
    throw misconfigured((error as Error).message);
  }
}

function parse(name: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw misconfigured(`the workflow ${name} is no JSON`);
  }
}

function isNodeInput(input: JsonValue, graph: JsonObject): boolean {
  return (
    Array.isArray(input) &&
    input.length === 2 &&
    typeof input[0] === 'string' &&
    typeof input[1] === 'string' &&
    Object.hasOwn(graph, input[0])
  );
}

/** Creates the error for a mistake in the operator's files, which the customer cannot fix. */
function misconfigured(message: string): EngineError {
  return new EngineError('upstream', `comfyui: ${message}`, { took: 'no', scope: 'route' });
}
