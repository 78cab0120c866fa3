// Explains why this page can't run, which would otherwise stay blank. It needs an origin of its own: in a frame with
// `sandbox` but without `allow-same-origin`, and in a file opened from disk, browsers load neither its scripts nor a
// worker.
(() => {
  if (self.origin !== 'null') return;
  const isFile = location.protocol === 'file:';
  const isChinese = navigator.language.startsWith('zh');
  const reasons = isFile
    ? {
        en: 'Podscope can’t run from a file on disk, because browsers don’t load scripts for such a page. Serve the folder with any file server, for example: npx -y serve.',
        zh: 'Podscope 无法直接从磁盘文件运行：浏览器不允许这样的页面加载脚本。请用任意文件服务器提供此文件夹，例如：npx -y serve。',
      }
    : {
        en: 'Podscope can’t run in this frame: the frame’s sandbox gives the page no origin. Add allow-same-origin to the frame: sandbox="allow-scripts allow-same-origin".',
        zh: 'Podscope 无法在此框架中运行：沙箱没有给页面保留自己的源。请为框架加上 allow-same-origin：sandbox="allow-scripts allow-same-origin"。',
      };
  addEventListener('DOMContentLoaded', () => {
    const note = document.createElement('p');
    note.setAttribute('role', 'alert');
    note.textContent = isChinese ? reasons.zh : reasons.en;
    // Set styles directly, because the browser may also have rejected the stylesheet.
    note.style.cssText = 'margin: 2em auto; padding: 0 1em; max-width: 40em; font: 16px/1.5 system-ui, sans-serif';
    if (!isFile) {
      const link = document.createElement('a');
      link.href = location.href;
      link.target = '_blank';
      link.rel = 'noopener';
      link.textContent = isChinese ? '在新窗口中打开' : 'Open in a new window';
      note.append(' ', link);
    }
    document.body.replaceChildren(note);
  });
})();
