import { openStorage } from '@darkroom-service/files';
import { pino } from 'pino';
import { DiskSpool } from '../../src/worker/spool/answer-spool.ts';
import { UnsavedAnswers } from '../../src/worker/spool/unsaved-answers.ts';
import { killAtFileCalls } from './kill-at-file-calls.ts';

/** Spools the answer of an engine in a process of its own, which kills itself at a file call. */
export interface SpoolWish {
  /** The directory of the storage. */
  readonly directory: string;
  readonly spool: string;
  readonly key: string;
  readonly text: string;
  /** When it spools: once the file is stored, while it is being stored, or while a remote storage gets it. */
  readonly when: 'stored' | 'storing' | 'remote';
  /** How many moments right before or right after a file call it survives. */
  readonly survives: number;
}

const { directory, spool, key, text, when, survives } = JSON.parse(process.argv[2] ?? '') as SpoolWish;
const data = Buffer.from(text);
const task = { id: 'img_fox', fence: 1 };
const storage = await openStorage({ url: null, directory });
const answers = new UnsavedAnswers({
  spool: new DiskSpool(spool, 'first'),
  ended: { take: () => null },
  now: () => 0,
  log: pino({ level: 'silent' }),
});
const outputs = [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }];
answers.add(task, 'openai', { kind: 'delivery', delivery: { outputs } });
await killAtFileCalls(survives);
let spooled: Promise<boolean> | undefined;
if (when !== 'remote')
  await storage.put(key, data, {
    contentType: 'text/plain',
    maxBytes: data.length,
    onFile(file) {
      answers.wroteFile(task.id, 0, file);
      if (when === 'storing') spooled = answers.spool(task.id);
    },
  });
if (!(await (spooled ?? answers.spool(task.id)))) throw new Error('the answer was not spooled');
