import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { type ReceivedSpan, startOtlpReceiver } from '../helpers/otlp-receiver.ts';
import { openPremises } from './child-service.ts';

const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
/** Of the time of the order: clocks round, and a busy machine takes its time between an event and the note of it. */
const TOLERANCE = 0.1;

test('an order whose worker is killed is one trace, which goes on in the next process and whose times add up', async (t) => {
  const collector = await startOtlpReceiver(t);
  const premises = await openPremises(t, [{ name: 'paid-slow', workMs: 4_000 }]);
  const options = {
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    environment: {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
  };
  const first = await premises.start(options);
  const answer = await first.call(
    premises.keys.live,
    'POST',
    '/v1/images',
    { model_id: 'paid-slow', prompt: 'a' },
    { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` },
  );
  assert.equal(answer.status, 201);
  await until(
    () => collector.spans,
    (spans) => spans.some(({ name }) => name === 'submit'),
  );
  const killedAt = Date.now();
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await premises.start(options);
  const path = `/v1/images/${answer.body.data.task_id}` as const;
  await until(
    async () => (await second.call(premises.keys.live, 'GET', path)).body,
    (body) => (body as { data: { status: string } }).data.status === 'succeeded',
  );
  const spans = await until(
    () => collector.spans,
    (all) => all.some(({ name }) => name === 'claim') && all.some(({ name }) => name === 'order paid-slow'),
  );

  const ofOrder = spans.filter(({ traceId }) => traceId === CALLER.trace);
  const one = (name: string) => {
    const found = ofOrder.filter((span) => span.name === name);
    assert.equal(found.length, 1, `${name}: ${ofOrder.map((span) => span.name).join(', ')}`);
    return found[0] as ReceivedSpan;
  };
  const [request, order] = [one('POST /v1/images'), one('order paid-slow')];
  assert.equal(request.parentSpanId, CALLER.span);
  assert.equal(order.parentSpanId, request.spanId);
  for (const name of ['judge', 'place']) assert.equal(one(name).parentSpanId, request.spanId);
  const whole = order.end - order.start;
  const toleranceMs = TOLERANCE * whole;
  const parts = ['submit', 'claim', 'checks', 'download', 'settle'].map(one);
  for (const part of parts) {
    assert.equal(part.parentSpanId, order.spanId, part.name);
    assert.ok(part.start >= order.start - toleranceMs && part.end <= order.end + toleranceMs, part.name);
  }
  const [submit, claim, checks, download, settle] = parts as [ReceivedSpan, ...ReceivedSpan[]];
  assert.notEqual(submit.instance, claim?.instance, 'the second process did what came after the kill');
  assert.equal(claim?.links.length, 1);
  // Nothing is counted twice, and what is missing is the time in which nobody had the order.
  const inTurn = [submit, claim, order].map((span) => [span?.start ?? 0, span?.end ?? 0] as const);
  assert.ok(inTurn[0]![1] <= killedAt && killedAt <= inTurn[1]![0] + toleranceMs);
  for (const [earlier, later] of [
    [submit, checks],
    [checks, download],
    [download, settle],
  ] as const)
    assert.ok((earlier?.end ?? 0) <= (later?.start ?? 0) + toleranceMs, `${earlier?.name} before ${later?.name}`);
  const known = (claim?.start ?? 0) - order.start + ((claim?.end ?? 0) - (claim?.start ?? 0));
  assert.ok(Math.abs(whole - known) < 2 * toleranceMs, `${whole} ms of the order, ${known} ms to the end of the claim`);
  const ofClaim = [checks, download, settle].reduce((sum, span) => sum + (span?.end ?? 0) - (span?.start ?? 0), 0);
  assert.ok(ofClaim <= (claim?.end ?? 0) - (claim?.start ?? 0) + toleranceMs);
  assert.ok((checks?.events.length ?? 0) >= 2, 'one span has all checks');
});
