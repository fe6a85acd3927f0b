import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { type Fault, openFaultProxy } from './fault-proxy.ts';
import { openPython, type Printed } from './python.ts';
import { startPythonProgram } from './python-program.ts';

/** The nodes for ComfyUI, called as ComfyUI calls them, with its modules replaced. `test/apps/comfyui.ts` runs it. */

const PACKAGES = ['numpy==2.2.6', 'pillow==11.3.0'];
const NODES = readFileSync(join(import.meta.dirname, '../../clients/comfyui/darkroom_nodes.py'), 'utf8');
/** Tensors are arrays here. An interruption is told once, as ComfyUI does. */
const HARNESS = `
import sys, types
import numpy

progress = []
interrupted = []

class Bar:
    def __init__(self, total):
        pass
    def update_absolute(self, value):
        progress.append(value)

class InterruptProcessingException(Exception):
    pass

def throw():
    if interrupted:
        interrupted.clear()
        raise InterruptProcessingException()

management = types.SimpleNamespace(
    throw_exception_if_processing_interrupted=throw, InterruptProcessingException=InterruptProcessingException)
sys.modules["folder_paths"] = types.SimpleNamespace(get_output_directory=lambda: os.environ["OUTPUT"])
sys.modules["torch"] = types.SimpleNamespace(from_numpy=lambda array: array)
sys.modules["comfy"] = types.SimpleNamespace(model_management=management)
sys.modules["comfy.utils"] = types.SimpleNamespace(ProgressBar=Bar)
import os
`;
const ANSWER = `
def answer(given):
    if given.get("interrupt"):
        interrupted.append(True)
        return None
    inputs = {"variation": 0, **given["inputs"]}
    if inputs.get("references"):
        inputs["references"] = numpy.full((inputs["references"], 64, 64, 3), 0.5, dtype=numpy.float32)
    node = NODE_CLASS_MAPPINGS[given["node"]]
    try:
        made, task_id = getattr(node(), node.FUNCTION)(**inputs)
    except Exception as error:
        return {"error": type(error).__name__ + ": " + str(error)}
    told = {"task_id": task_id, "progress": progress[-1:]}
    return {**told, "path": made} if isinstance(made, str) else {**told, "shape": made.shape, "most": float(made.max())}
`;

const FOX = { model: 'sketch', prompt: 'a fox', size: '256x256' };

async function openNodes(t: TestContext, { films = false } = {}) {
  const service = await startTestService(t, { service: films ? {} : { engines: [createStoppableEngine()] } });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  const output = await mkdtemp(join(tmpdir(), 'darkroom-comfyui-'));
  t.after(() => rm(output, { recursive: true, force: true }));
  const variables = { DARKROOM_URL: proxy.url, DARKROOM_API_KEY: key, OUTPUT: output };
  const python = await openPython(PACKAGES, variables);
  const call = startPythonProgram(python, HARNESS + NODES + ANSWER);
  return {
    proxy,
    interrupt: () => call({ interrupt: true }),
    make: (inputs: object, node = 'DarkroomImage'): Promise<Printed> => call({ node, inputs }),
    tasks: async () => (await service.call(key, 'GET', '/v1/images?limit=100')).data.items,
    async charges() {
      const { items } = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data;
      return items.filter(({ kind }) => kind === 'charge').length;
    },
  };
}

test('the node for ComfyUI returns an image as a tensor, and equal inputs are paid once', async (t) => {
  const { make, charges } = await openNodes(t);
  const made = await make(FOX);
  assert.deepEqual([made.shape, made.progress], [[1, 256, 256, 3], [100]], made.error);
  assert.ok(made.most > 0 && made.most <= 1);
  assert.equal((await make(FOX)).task_id, made.task_id);
  assert.equal(await charges(), 1);
  assert.notEqual((await make({ ...FOX, variation: 1 })).task_id, made.task_id);
  assert.equal(await charges(), 2);
});

test('the node for ComfyUI sends its tensors as references of the model', async (t) => {
  const { make, tasks } = await openNodes(t);
  assert.equal((await make({ ...FOX, references: 2 })).error, undefined);
  assert.equal((await tasks())[0]!.input.image_urls.length, 2);
});

for (const fault of ['cut before', 'cut within', 'lose answer', '502 before', '502 after', 'cut answer'] as const)
  test(`the node for ComfyUI, ${fault} of the order: an image, one charge`, async (t) => {
    const { make, charges, proxy } = await openNodes(t);
    proxy.fail(/^POST /, fault satisfies Fault);
    assert.equal((await make(FOX)).error, undefined);
    assert.deepEqual([await charges(), proxy.sent(/^POST /).length], [1, 2]);
  });

test('the node for ComfyUI downloads again what broke off', async (t) => {
  const { make, charges, proxy } = await openNodes(t);
  proxy.fail(/^GET .*content/, 'cut answer');
  assert.deepEqual((await make(FOX)).shape, [1, 256, 256, 3]);
  assert.equal(await charges(), 1);
});

test('the node for ComfyUI tells why an order was refused or failed, and orders a failed one again', async (t) => {
  const { make, tasks, charges } = await openNodes(t);
  assert.match((await make({ ...FOX, model: 'no-such-model' })).error, /^DarkroomError: .*no-such-model/);
  const failing = { ...FOX, fields: JSON.stringify({ simulate: { outcome: 'upstream_error' } }) };
  assert.match((await make(failing)).error, /^DarkroomError: img_/);
  assert.match((await make(failing)).error, /^DarkroomError: img_/);
  assert.deepEqual([(await tasks()).length, await charges()], [2, 0]);
});

test('an interruption of ComfyUI cancels the order', async (t) => {
  const { make, tasks, interrupt, charges } = await openNodes(t);
  const made = make({ ...FOX, fields: JSON.stringify({ simulate: { seconds: 3_600 } }) });
  await until(tasks, ({ length }) => length === 1);
  await interrupt();
  assert.match((await made).error, /^InterruptProcessingException/);
  await until(tasks, ([task]) => task?.status === 'canceled');
  assert.equal(await charges(), 0);
});

test('the node for ComfyUI stores a video and returns its path', async (t) => {
  const { make, charges } = await openNodes(t, { films: true });
  const fields = JSON.stringify({ duration: 1, resolution: '360p' });
  const made = await make({ model: 'sketch-motion', prompt: 'a fox', fields }, 'DarkroomVideo');
  assert.equal(readFileSync(made.path).subarray(4, 8).toString(), 'ftyp', made.error);
  assert.equal(await charges(), 1);
});
