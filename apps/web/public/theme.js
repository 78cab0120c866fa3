// Puts the theme on the page before its first paint. src/state/theme.ts takes over from here and knows the same key and attribute.
(() => {
  let theme = null;
  try {
    theme = JSON.parse(localStorage.getItem('podscope.preferences') ?? 'null')?.state?.theme ?? null;
  } catch {
    // Storage is blocked, or holds something else: follow the system.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // An embedded page has no bar at its top.
  if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
})();
