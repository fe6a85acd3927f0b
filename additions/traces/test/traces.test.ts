import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import { type Exchange, openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { startAwakeTime } from '../../../test/helpers/awake-time.ts';
import { attributesOf, type ReceivedSpan, startOtlpReceiver } from '../../../test/helpers/otlp-receiver.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';

// The SDK reads these of its process.
process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json';
process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '500';
process.env.OTEL_TRACES_SAMPLER = 'parentbased_always_off';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAMPLED = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
const ORDER = { model_id: 'sketch', prompt: 'a fox' };

test('an order is one trace from the request of its caller to its webhook, with the conventions of OpenTelemetry', async (t) => {
  const [collector, hooks] = [await startOtlpReceiver(t), await startReceiver(t, () => 500)];
  const { call, ended, keys, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
    service: { engines: [createSwiftEngine()] },
  });
  const placed = await call(keys.test, 'POST', '/v1/images', { ...ORDER, webhook_url: hooks.url }, SAMPLED);
  const task = await ended(keys.test, placed.data);
  assert.equal(task.status, 'succeeded');
  await hooks.count(1);
  const attempts = () => call(keys.test, 'GET', '/v1/account/webhooks/deliveries').then(({ data }) => data.items[0]);
  await until(attempts, (delivery) => delivery.attempts.length > 0);
  await service.stop();

  const byName = new Map(collector.spans.map((span) => [span.name, span]));
  const of = (name: string) => byName.get(name) as ReceivedSpan;
  const order = of('order sketch');
  assert.ok(collector.spans.every(({ traceId }) => traceId === TRACE));
  const ofOrder = collector.spans.filter(({ parentSpanId }) => parentSpanId === order.spanId).map(({ name }) => name);
  assert.deepEqual(ofOrder.toSorted(), ['checks', 'claim', 'download', 'settle', 'submit', 'waiting', 'webhook']);
  assert.equal(collector.spans.length, ofOrder.length + 4, 'and request, order, judge and place');
  const { 'darkroom.request.id': _, ...request } = of('POST /v1/images').attributes;
  assert.deepEqual(request, {
    'http.request.method': 'POST',
    'http.route': '/v1/images',
    'url.scheme': 'http',
    'http.response.status_code': 201,
    'darkroom.task.id': task.task_id,
  });
  assert.equal(of('claim').attributes['messaging.destination.name'], 'sketch:test');
  assert.equal(of('submit').attributes['gen_ai.provider.name'], 'sketch');
  const { 'error.type': fault, ...webhook } = of('webhook').attributes;
  assert.deepEqual(webhook, {
    'http.request.method': 'POST',
    'http.response.status_code': 500,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(hooks.url).port),
  });
  assert.equal(fault, '500');
  assert.equal(of('settle').attributes['db.operation.name'], 'settle');
  assert.deepEqual([of('webhook').isError, order.isError], [true, false]);
  // It waits, then it is worked on, and then it has ended.
  assert.ok(of('waiting').start >= order.start && of('waiting').end <= of('claim').start + 1);
  assert.ok(of('claim').start <= order.end + 1 && of('settle').end <= of('claim').end + 5);
});

test('a request that is not sampled leaves no span and no row, and its order neither', async (t) => {
  const collector = await startOtlpReceiver(t);
  const { call, database, keys, make, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    service: { engines: [createSwiftEngine()] },
  });
  await make(keys.test, '/v1/images', ORDER);
  await call(keys.test, 'POST', '/v1/images', ORDER, { traceparent: SAMPLED.traceparent.replace(/01$/, '00') });
  await call(keys.test, 'POST', '/v1/images', ORDER, { traceparent: 'not one' });
  const kept = () => database.read.all(database.read.builder.selectFrom('order_traces').selectAll());
  assert.deepEqual(await kept(), []);
  await call(keys.test, 'POST', '/v1/images', ORDER, SAMPLED);
  assert.equal((await kept()).length, 1);
  await service.stop();
  assert.ok(collector.spans.length > 0 && collector.spans.every(({ traceId }) => traceId === TRACE));
});

test('the collector gets the metrics of /metrics', async (t) => {
  const collector = await startOtlpReceiver(t);
  const { call, keys, make, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    service: { engines: [createSwiftEngine()] },
  });
  for (let order = 0; order < 3; order++) await make(keys.test, '/v1/images', ORDER);
  const text = String((await call(keys.admin, 'GET', '/metrics')).body);
  await service.stop();

  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  assert.deepEqual(
    names.filter((name) => !collector.metrics.has(name)),
    [],
  );
  const settled = collector.metrics.get('darkroom_tasks_settled_total')?.sum;
  assert.equal(settled?.isMonotonic, true);
  const [point] = settled.dataPoints;
  assert.equal(point?.asDouble, 3);
  assert.deepEqual(attributesOf(point.attributes), { type: 'image', mode: 'test', status: 'succeeded' });
  const [calls] = collector.metrics.get('darkroom_upstream_call_seconds')?.histogram?.dataPoints ?? [];
  assert.equal(calls?.count, 3);
  assert.equal(calls.bucketCounts?.length, (calls.explicitBounds?.length ?? 0) + 1);
  assert.equal(
    calls.bucketCounts.reduce((sum, count) => sum + Number(count), 0),
    3,
  );
  const [held] = collector.metrics.get('darkroom_tasks_held')?.gauge?.dataPoints ?? [];
  assert.equal(held?.asDouble, 0);
});

test("only a server of the operator's own is told the trace, and no vendor", async (t) => {
  const collector = await startOtlpReceiver(t);
  const seen = { own: new Set<unknown>(), vendor: new Set<unknown>() };
  const open = async (kind: keyof typeof seen) => {
    const server = await openFakeServer(({ method, headers, reply }: Exchange) => {
      // Checks pass: an order waits for a server of the operator's own that fails them.
      if (method === 'GET') return reply(200, { supported_modes: ['img_gen'] });
      seen[kind].add(headers.traceparent?.slice(3, 35));
      return reply(400, { error: 'no' });
    });
    t.after(() => server.stop());
    return server.url;
  };
  const vendor = await open('vendor');
  const { call, ended, keys, service } = await startTestService(t, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      DARKROOM_SD_SERVER_URL: await open('own'),
      FAL_KEY: 'id:secret',
      DARKROOM_FAL_URL: vendor,
    },
  });
  for (const model of ['local-image', 'flux-2-pro']) {
    const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: model, prompt: 'a fox' }, SAMPLED);
    assert.equal((await ended(keys.live, data)).status, 'failed');
  }
  await service.stop();
  assert.deepEqual([[...seen.own], [...seen.vendor]], [[TRACE], [undefined]]);
  const asked = collector.spans.filter(
    ({ name, attributes }) => name === 'submit' && attributes['gen_ai.provider.name'] === 'fal',
  );
  const { hostname, port } = new URL(vendor);
  assert.ok(asked.length > 0);
  for (const { attributes } of asked) {
    const named = ['server.address', 'server.port', 'http.response.status_code'].map((name) => attributes[name]);
    assert.deepEqual(named, [hostname, Number(port), 400]);
  }
});

test("the span of an order's checks has the vendor's server and the status of its last answer", async (t) => {
  const [collector, fal] = [await startOtlpReceiver(t), await openFakeFal(falInputs())];
  t.after(() => fal.stop());
  const { call, ended, keys, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, FAL_KEY: fal.key, DARKROOM_FAL_URL: fal.url },
  });
  const order = { model_id: 'flux-2-pro', prompt: 'a fox [[file=png]]' };
  const { data } = await call(keys.live, 'POST', '/v1/images', order, SAMPLED);
  await ended(keys.live, data);
  await service.stop();
  const { attributes } = collector.spans.find(({ name }) => name === 'checks') ?? assert.fail('no checks');
  const { hostname, port } = new URL(fal.url);
  const named = ['server.address', 'server.port', 'http.response.status_code'].map((name) => attributes[name]);
  assert.deepEqual(named, [hostname, Number(port), 200]);
});

test('the default protocol is protobuf, and a collector that is away delays nothing', async (t) => {
  const collector = await startOtlpReceiver(t);
  delete process.env.OTEL_EXPORTER_OTLP_PROTOCOL;
  t.after(() => {
    process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json';
  });
  for (const url of [collector.url, 'http://127.0.0.1:9']) {
    const { call, keys, ended, service } = await startTestService(t, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
      service: { engines: [createSwiftEngine()] },
    });
    const { data } = await call(keys.test, 'POST', '/v1/images', ORDER, SAMPLED);
    assert.equal((await ended(keys.test, data)).status, 'succeeded');
    const awakeMs = startAwakeTime();
    await service.stop();
    assert.ok(awakeMs() < 6_000, url);
  }
  assert.deepEqual(collector.types.get('/v1/traces'), 'application/x-protobuf');
  assert.deepEqual(collector.types.get('/v1/metrics'), 'application/x-protobuf');
});

/** The value may be a secret. */
const QUOTES = /_HEADERS: expected name=value pairs such as .*, found quotes in it/;

test('a sampler or a protocol that does not exist, and quotes in headers, refuse the start', async (t) => {
  const { url } = await startOtlpReceiver(t);
  for (const [variable, value, expected] of [
    ['OTEL_TRACES_SAMPLER', 'sometimes', /OTEL_TRACES_SAMPLER: expected always_on, always_off or traceidratio/],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'grpc',
      /OTEL_EXPORTER_OTLP_PROTOCOL: expected http\/protobuf or http\/json, found "grpc"/,
    ],
    ['OTEL_EXPORTER_OTLP_HEADERS', '"authorization=Bearer hidden"', QUOTES],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', "authorization='Bearer hidden'", QUOTES],
  ] as const) {
    const usual = process.env[variable];
    process.env[variable] = value;
    await assert.rejects(startTestService(t, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } }), (error: Error) => {
      assert.match(error.message, expected);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
    if (usual === undefined) delete process.env[variable];
    else process.env[variable] = usual;
  }
});

test('of many orders that share connections and commits, each trace has the spans of its own order and no other', async (t) => {
  const collector = await startOtlpReceiver(t);
  const { call, ended, keys, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    service: { engines: [createSwiftEngine({ repeatable: false })] },
  });
  const traceOf = (order: number) => order.toString(16).padStart(32, 'a');
  const place = async (order: number) => {
    // Two of three ask for no trace.
    const headers = order % 3 === 0 ? { traceparent: `00-${traceOf(order)}-00f067aa0ba902b7-01` } : {};
    const path = order % 2 === 0 ? '/v1/images' : '/openai/v1/images/generations';
    const body = order % 2 === 0 ? ORDER : { model: 'sketch', prompt: 'a fox' };
    const { data, status } = await call(keys.live, 'POST', path as '/v1/images', body, headers);
    assert.ok(status < 300, `${status}`);
    if (order % 2 === 0) assert.equal((await ended(keys.live, data)).status, 'succeeded');
  };
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 24 }, (_, place_) => place(round * 24 + place_)));
  await service.stop();

  const byTrace = Map.groupBy(collector.spans, ({ traceId }) => traceId);
  const traced = Array.from({ length: 72 }, (_, order) => order).filter((order) => order % 3 === 0);
  assert.deepEqual([...byTrace.keys()].toSorted(), traced.map(traceOf).toSorted());
  for (const spans of byTrace.values()) {
    const names = spans.map(({ name }) => name).filter((name) => name !== 'waiting');
    const request = names.find((name) => name.startsWith('POST '));
    const parts = ['checks', 'claim', 'download', 'judge', 'order sketch', 'place', 'settle', 'submit'];
    assert.deepEqual(names.toSorted(), [request, ...parts].toSorted());
  }
});

test('the orders of a batch belong to the trace of its request', async (t) => {
  const collector = await startOtlpReceiver(t);
  const { call, keys, service } = await startTestService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    service: { engines: [createSwiftEngine()] },
  });
  const orders = Array.from({ length: 3 }, () => ({ operation: 'images', body: ORDER }));
  const placed = await Promise.all(
    [SAMPLED, {}].map((headers) => call(keys.test, 'POST', '/v1/batches', { orders }, headers)),
  );
  for (const { data } of placed)
    await until(
      () => call(keys.test, 'GET', data.urls.self).then((answer) => answer.data.status),
      (status) => status !== 'processing',
    );
  await service.stop();

  const request = collector.spans.find(({ name }) => name === 'POST /v1/batches');
  const ofOrders = collector.spans.filter(({ name }) => name === 'order sketch');
  assert.deepEqual(
    ofOrders.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
    orders.map(() => [TRACE, request?.spanId]),
  );
  assert.equal(collector.spans.filter(({ name }) => name === 'settle').length, orders.length);
});
