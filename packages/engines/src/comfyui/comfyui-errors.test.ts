import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import { explainComfyError } from './comfyui-errors.ts';

/** Refusals of a real ComfyUI 0.3.64, shortened. */
const invalid = (classType: string, type: string, message: string, details: string, input: string) => ({
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' },
  node_errors: {
    1: { errors: [{ type, message, details, extra_info: { input_name: input } }], class_type: classType },
  },
});
const whole = (type: string, message: string, details: string) => ({
  error: { type, message, details, extra_info: {} },
  node_errors: {},
});

test('a refusal of a value that the order filled is the customer’s fault, one at any other input is not', () => {
  const explain = (body: JsonObject) =>
    explainComfyError({ status: 400, headers: {}, text: '', body }, (node, input) =>
      ['1 width', '1 image', '1 sampler_name'].includes(`${node} ${input}`),
    );
  const values = [
    invalid('EmptyImage', 'value_bigger_than_max', 'Value 99999999 bigger than max of 16384', 'width', 'width'),
    invalid('EmptyImage', 'invalid_input_type', 'Failed to convert an input value to a INT value', 'width', 'width'),
    invalid('KSampler', 'value_not_in_list', 'Value not in list', "sampler_name: 'fox' not in []", 'sampler_name'),
  ];
  for (const body of values) assert.equal(explain(body)?.class, 'invalid_input');
  const graphs = [
    whole('invalid_prompt', 'Cannot execute because node NoSuchNode does not exist.', "Node ID '#1'"),
    whole('prompt_no_outputs', 'Prompt has no outputs', ''),
    invalid('SaveImage', 'required_input_missing', 'Required input is missing', 'images', 'images'),
    invalid('SaveImage', 'return_type_mismatch', 'Return type mismatch between linked nodes', 'images', 'images'),
    invalid('VAELoader', 'value_not_in_list', 'Value not in list', "vae_name: 'fox' not in []", 'vae_name'),
    // By the sources of 0.38.1.
    invalid('ModelPatchLoader', 'value_not_in_list', 'Value not in list', "name: 'fox' not in []", 'name'),
    invalid('LTXAVTextEncoderLoader', 'value_not_in_list', 'Value not in list', "'fox' not in []", 'text_encoder'),
    invalid('KSampler', 'value_bigger_than_max', 'Value 99999 bigger than max of 10000', 'steps', 'steps'),
    invalid('KSampler', 'dependency_cycle', 'Dependency cycle detected', '1 -> 2 -> 1', 'latent_image'),
    invalid('BatchImages', 'invalid_dynamic_input', 'Invalid dynamic input', 'images', 'images'),
    invalid('LoadImage', 'exception_during_validation', 'Exception when validating node', 'boom', ''),
  ];
  for (const body of graphs) {
    const { class: kind, scope } = explain(body) ?? {};
    assert.deepEqual([kind, scope], ['upstream', 'route'], JSON.stringify(body));
  }
  // The picture was uploaded, so the next attempt uploads it again.
  const details = 'image - Invalid image file: darkroom/none.png';
  const gone = explain(
    invalid('LoadImage', 'custom_validation_failed', 'Custom validation failed for node', details, 'image'),
  );
  assert.deepEqual([gone?.class, gone?.scope], ['upstream', undefined]);
  assert.match(gone?.message ?? '', /LoadImage.*Invalid image file/);
});
