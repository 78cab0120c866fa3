// Puts the theme on the page before its first paint. Later, src/base/theme/theme.ts applies it; both use the same key
// and attribute.
(() => {
  let theme = null;
  try {
    theme = JSON.parse(localStorage.getItem('podscope.preferences') ?? 'null')?.state?.theme ?? null;
  } catch {
    // Storage is blocked or contains another value, so follow the system's theme.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // An embedded page has no bar at the top.
  if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
})();
