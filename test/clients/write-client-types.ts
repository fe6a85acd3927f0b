import { writeFile } from 'node:fs/promises';
import { startTestService } from '../helpers/service.ts';
import { clientTypes } from './client-types.ts';

/** `npm run client:types`: brings the client's types of the interface and of the catalog up to date. */
const closers: (() => Promise<void> | void)[] = [];
const service = await startTestService({ after: (close) => void closers.push(close as () => Promise<void>) });
for (const { path, text } of await clientTypes(service)) await writeFile(path, text);
for (const close of closers) await close();
