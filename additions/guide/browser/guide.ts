import { addCopyButtons } from './copy.ts';
import { addSearch } from './search.ts';
import { makeTabs } from './tabs.ts';

/** Adds to a page of the guide what needs a script: the search, tabs of examples, and buttons that copy them. */
addCopyButtons();
makeTabs();
addSearch(new URL('./', import.meta.url));
// Examples behind tabs no longer take room above the place that the address names.
if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
