import type { JsonValue } from '@darkroom-service/contract/json';
import { createStore } from './store.ts';

/** One value of an earlier order, such as only its seed, which the Studio's form takes over when it is opened. */
export const recalledStore = createStore<{ readonly name: string; readonly value: JsonValue } | null>(null);
