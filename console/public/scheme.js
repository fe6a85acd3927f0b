// Before anything is painted, so that a dark room does not flash white.
(() => {
  let wish = null;
  try {
    wish = localStorage.getItem('mantine-color-scheme-value');
  } catch {}
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = wish === 'light' || wish === 'dark' ? wish : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
