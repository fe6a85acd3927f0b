import { describe, test } from 'node:test';
import { openaiForPython as client } from './clients.ts';
import {
  breaksOff,
  deletes,
  edits,
  failures,
  films,
  filmsDespite,
  generates,
  generatesDespite,
  lists,
  refusals,
  streams,
  waitsDespite,
} from './scenarios.ts';

// They wait for most of their time.
describe('scenarios with openai for Python', { concurrency: 4 }, () => {
  test('openai for Python: generate answers the image', (t) => generates(t, client));
  test('openai for Python: edit answers the image', (t) => edits(t, client));
  test('openai for Python: a stream ends with the image', (t) => streams(t, client));
  test('openai for Python: a film is ordered, awaited and downloaded', (t) => films(t, client));
  test('openai for Python: models and videos are listed', (t) => lists(t, client));
  test('openai for Python: deleting a video that is being made cancels it, also when the answer is lost', (t) =>
    deletes(t, client));
  test('openai for Python: a refusal has its reason and is not sent again', (t) => refusals(t, client));
  test('openai for Python: a failed order has its reason, costs nothing and is not sent again', (t) =>
    failures(t, client));
  test('openai for Python: a lost answer is one order and one charge', (t) =>
    generatesDespite(['lose answer'])(t, client));
  test('openai for Python: two lost answers are one order and one charge', (t) =>
    generatesDespite(['lose answer', 'lose answer'])(t, client));
  test('openai for Python: an answer that breaks off is an error, one order and one charge, and can be collected', (t) =>
    breaksOff(t, client));
  test('openai for Python: a 502 after the order is one order and one charge', (t) =>
    generatesDespite(['502 after'])(t, client));
  test('openai for Python: a 502 before the order is one order and one charge', (t) =>
    generatesDespite(['502 before'])(t, client));
  test('openai for Python: a connection that is cut before or within the request is one order and one charge', (t) =>
    generatesDespite(['cut before', 'cut within'])(t, client));
  test('openai for Python: a slow answer comes over several waits', (t) => waitsDespite([])(t, client));
  test('openai for Python: a wait whose answer is lost is one order and one charge', (t) =>
    waitsDespite(['lose answer'])(t, client));
  test('openai for Python: a wait that is answered 502 is one order and one charge', (t) =>
    waitsDespite(['502 after'])(t, client));
  test('openai for Python: a film whose answer is lost is ordered once', (t) =>
    filmsDespite(['lose answer', '502 after'])(t, client));
});
