import { createStore } from '../api/store.ts';

/** Whether the dialog for adding a key is open. */
export const addKeyStore = createStore(false);
