/** Inputs and outputs of ComfyUI's own nodes, as in its `/object_info`: the nodes that shipped workflows use. */

interface InputSpec {
  readonly type: string;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly string[];
  readonly optional?: boolean;
}

interface NodeSpec {
  readonly inputs: Readonly<Record<string, InputSpec>>;
  readonly outputTypes: readonly string[];
  readonly isOutput?: boolean;
}

const int = (min: number, max: number): InputSpec => ({ type: 'INT', min, max });
const float = (min: number, max: number): InputSpec => ({ type: 'FLOAT', min, max });
const one = (...options: string[]): InputSpec => ({ type: 'COMBO', options });
const link = (type: string): InputSpec => ({ type });
const text: InputSpec = { type: 'STRING' };
const side = int(16, 16_384);
const samplers = one('euler', 'euler_ancestral', 'dpmpp_2m', 'uni_pc', 'ddim');
const schedulers = one('simple', 'normal', 'karras', 'sgm_uniform');

/** The files of the model folders. */
const checkpoints = one('sd_xl_base_1.0.safetensors', 'v1-5-pruned-emaonly.safetensors');
const diffusion = one('wan2.1_i2v_480p_14B_fp16.safetensors', 'wan2.1_t2v_1.3B_fp16.safetensors');

export const NODES: Readonly<Record<string, NodeSpec>> = {
  CheckpointLoaderSimple: { inputs: { ckpt_name: checkpoints }, outputTypes: ['MODEL', 'CLIP', 'VAE'] },
  CLIPTextEncode: { inputs: { text, clip: link('CLIP') }, outputTypes: ['CONDITIONING'] },
  EmptyLatentImage: { inputs: { width: side, height: side, batch_size: int(1, 4096) }, outputTypes: ['LATENT'] },
  KSampler: {
    inputs: {
      seed: int(0, 2 ** 64),
      steps: int(1, 10_000),
      cfg: float(0, 100),
      sampler_name: samplers,
      scheduler: schedulers,
      denoise: float(0, 1),
      model: link('MODEL'),
      positive: link('CONDITIONING'),
      negative: link('CONDITIONING'),
      latent_image: link('LATENT'),
    },
    outputTypes: ['LATENT'],
  },
  VAEDecode: { inputs: { samples: link('LATENT'), vae: link('VAE') }, outputTypes: ['IMAGE'] },
  VAEEncode: { inputs: { pixels: link('IMAGE'), vae: link('VAE') }, outputTypes: ['LATENT'] },
  RepeatLatentBatch: { inputs: { samples: link('LATENT'), amount: int(1, 64) }, outputTypes: ['LATENT'] },
  SetLatentNoiseMask: { inputs: { samples: link('LATENT'), mask: link('MASK') }, outputTypes: ['LATENT'] },
  ImageScale: {
    inputs: {
      image: link('IMAGE'),
      upscale_method: one('nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'),
      width: int(0, 16_384),
      height: int(0, 16_384),
      crop: one('disabled', 'center'),
    },
    outputTypes: ['IMAGE'],
  },
  LoadImage: { inputs: { image: { type: 'FILE' } }, outputTypes: ['IMAGE', 'MASK'] },
  LoadImageMask: {
    inputs: { image: { type: 'FILE' }, channel: one('alpha', 'red', 'green', 'blue') },
    outputTypes: ['MASK'],
  },
  SaveImage: { inputs: { images: link('IMAGE'), filename_prefix: text }, outputTypes: [], isOutput: true },
  PreviewImage: { inputs: { images: link('IMAGE') }, outputTypes: [], isOutput: true },
  UNETLoader: { inputs: { unet_name: diffusion, weight_dtype: one('default', 'fp8_e4m3fn') }, outputTypes: ['MODEL'] },
  CLIPLoader: {
    inputs: {
      clip_name: one('umt5_xxl_fp8_e4m3fn_scaled.safetensors'),
      type: one('stable_diffusion', 'wan', 'ltxv'),
      device: { ...one('default', 'cpu'), optional: true },
    },
    outputTypes: ['CLIP'],
  },
  VAELoader: { inputs: { vae_name: one('wan_2.1_vae.safetensors') }, outputTypes: ['VAE'] },
  CLIPVisionLoader: { inputs: { clip_name: one('clip_vision_h.safetensors') }, outputTypes: ['CLIP_VISION'] },
  CLIPVisionEncode: {
    inputs: { clip_vision: link('CLIP_VISION'), image: link('IMAGE'), crop: one('center', 'none') },
    outputTypes: ['CLIP_VISION_OUTPUT'],
  },
  ModelSamplingSD3: { inputs: { model: link('MODEL'), shift: float(0, 100) }, outputTypes: ['MODEL'] },
  EmptyHunyuanLatentVideo: {
    inputs: { width: side, height: side, length: int(1, 16_384), batch_size: int(1, 4096) },
    outputTypes: ['LATENT'],
  },
  WanImageToVideo: {
    inputs: {
      positive: link('CONDITIONING'),
      negative: link('CONDITIONING'),
      vae: link('VAE'),
      width: side,
      height: side,
      length: int(1, 16_384),
      batch_size: int(1, 4096),
      clip_vision_output: { ...link('CLIP_VISION_OUTPUT'), optional: true },
      start_image: { ...link('IMAGE'), optional: true },
    },
    outputTypes: ['CONDITIONING', 'CONDITIONING', 'LATENT'],
  },
  CreateVideo: { inputs: { images: link('IMAGE'), fps: float(1, 120) }, outputTypes: ['VIDEO'] },
  SaveVideo: {
    inputs: {
      video: link('VIDEO'),
      filename_prefix: text,
      format: one('auto', 'mp4', 'mkv', 'webm'),
      codec: one('auto', 'h264', 'av1'),
    },
    outputTypes: [],
    isOutput: true,
  },
};

interface NodeError {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

type GraphNode = { readonly class_type?: unknown; readonly inputs?: Readonly<Record<string, unknown>> };
export type Graph = Readonly<Record<string, GraphNode>>;

interface ValidGraph {
  /** Ids of the outputs that will be executed. */
  readonly outputs: readonly string[];
  readonly nodeErrors: object;
}

/**
 * Validates a graph as ComfyUI does. Returns the outputs without errors; the body of the refusal if there are none.
 */
export function validateGraph(graph: Graph, files: ReadonlySet<string>): ValidGraph | { readonly refused: object } {
  for (const [id, { class_type: name }] of Object.entries(graph)) {
    if (typeof name === 'string' && Object.hasOwn(NODES, name)) continue;
    const info = { node_id: id, class_type: name, node_title: name };
    const details = `Node ID '#${id}'`;
    return { refused: refusal('missing_node_type', `Node '${String(name)}' not found.`, details, {}, info) };
  }
  const outputs = Object.keys(graph).filter((id) => NODES[String(graph[id]?.class_type)]?.isOutput);
  if (outputs.length === 0) return { refused: refusal('prompt_no_outputs', 'Prompt has no outputs', '', {}) };
  const nodeErrors: Record<string, object> = {};
  for (const [id, node] of Object.entries(graph)) {
    const errors = inputErrors(graph, node, files);
    const dependent = outputs.filter((output) => nodesBehind(graph, output).has(id));
    if (errors.length > 0 && dependent.length > 0)
      nodeErrors[id] = { class_type: node.class_type, dependent_outputs: dependent, errors };
  }
  const good = outputs.filter((output) => [...nodesBehind(graph, output)].every((id) => nodeErrors[id] === undefined));
  if (good.length > 0) return { outputs: good, nodeErrors };
  return {
    refused: refusal('prompt_outputs_failed_validation', 'Prompt outputs failed validation', '', nodeErrors),
  };
}

/** Returns a node and all nodes that it depends on. */
function nodesBehind(graph: Graph, id: string, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const value of Object.values(graph[id]?.inputs ?? {}))
    if (Array.isArray(value) && typeof value[0] === 'string') nodesBehind(graph, value[0], found);
  return found;
}

export function refusal(type: string, message: string, details: string, nodeErrors: object, info: object = {}): object {
  return { error: { type, message, details, extra_info: info }, node_errors: nodeErrors };
}

function inputErrors(graph: Graph, node: GraphNode, files: ReadonlySet<string>): NodeError[] {
  const errors: NodeError[] = [];
  for (const [name, spec] of Object.entries(NODES[String(node.class_type)]?.inputs ?? {})) {
    const value = node.inputs?.[name];
    const add = (type: string, message: string, details = name) =>
      errors.push({ type, message, details, extra_info: { input_name: name, received_value: value } });
    if (value === undefined) {
      if (spec.optional !== true) add('required_input_missing', 'Required input is missing');
    } else if (Array.isArray(value)) validateLink(graph, value, spec, add);
    else validateValue(value, spec, files, add);
  }
  return errors;
}

type Add = (type: string, message: string, details?: string) => void;

function validateLink(graph: Graph, value: readonly unknown[], { type }: InputSpec, add: Add): void {
  const [from, slot] = value;
  if (value.length !== 2 || typeof from !== 'string' || graph[from] === undefined) {
    add('bad_linked_input', 'Bad linked input, must be a length-2 list of [node_id, slot_index]');
  } else if (NODES[String(graph[from].class_type)]?.outputTypes[Number(slot)] !== type) {
    add('return_type_mismatch', 'Return type mismatch between linked nodes');
  }
}

function validateValue(value: unknown, spec: InputSpec, files: ReadonlySet<string>, add: Add): void {
  const { type, options, min, max } = spec;
  if (type === 'INT' || type === 'FLOAT') {
    const fits = type === 'INT' ? Number.isInteger(value) : typeof value === 'number';
    if (!fits) add('invalid_input_type', `Failed to convert an input value to a ${type} value`);
    else if (Number(value) < (min ?? 0)) add('value_smaller_than_min', `Value ${value} smaller than min of ${min}`);
    else if (Number(value) > (max ?? 0)) add('value_bigger_than_max', `Value ${value} bigger than max of ${max}`);
  } else if (type === 'COMBO') {
    if (!options?.includes(String(value))) {
      add('value_not_in_list', 'Value not in list', `'${value}' not in [${options?.join(', ')}]`);
    }
  } else if (type === 'FILE') {
    if (!files.has(String(value)))
      add('custom_validation_failed', 'Custom validation failed for node', `image - Invalid image file: ${value}`);
  } else if (type !== 'STRING') add('bad_linked_input', 'Bad linked input');
  else if (typeof value !== 'string') add('invalid_input_type', 'Failed to convert an input value to a STRING value');
}

/** Returns the texts, sizes and files in the nodes of a graph, to compare it with an order. */
export function inputOf(graph: Graph): Record<string, unknown> {
  const nodes = Object.values(graph);
  const of = (type: string) => nodes.find((node) => node.class_type === type)?.inputs;
  const sampler = of('KSampler') ?? {};
  const follow = (value: unknown): Readonly<Record<string, unknown>> =>
    graph[String((value as string[])[0])]?.inputs ?? {};
  const textOf = (value: unknown): unknown => follow(value).text ?? textOf(follow(value).positive);
  const size =
    of('EmptyLatentImage') ?? of('EmptyHunyuanLatentVideo') ?? of('WanImageToVideo') ?? of('ImageScale') ?? {};
  const batch = of('RepeatLatentBatch')?.amount ?? size.batch_size ?? 1;
  const facts = {
    prompt: textOf(sampler.positive),
    seed: sampler.seed,
    width: size.width,
    height: size.height,
    length: size.length,
    batch: batch === 1 ? undefined : batch,
    strength: sampler.denoise === 1 ? undefined : sampler.denoise,
    image: of('LoadImage')?.image,
    mask: of('LoadImageMask')?.image,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
