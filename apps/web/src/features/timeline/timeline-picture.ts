/** Exports the visible timeline as a PNG. */
import { translate } from '../../base/i18n/i18n.ts';
import { timelineMessages } from './messages.en.ts';

/** Returns the PNG. @throws Error when no timeline is visible */
export async function timelinePicture(): Promise<Blob> {
  const host = document.querySelector<HTMLElement>('[data-timeline]');
  const canvases = [...(host?.querySelectorAll('canvas') ?? [])];
  if (!host || canvases.length === 0) throw new Error(translate(timelineMessages.noTimeline));
  const box = host.getBoundingClientRect();
  const scale = devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = Math.round(box.width * scale);
  picture.height = Math.round(box.height * scale);
  const context = picture.getContext('2d');
  if (!context) throw new Error(translate(timelineMessages.noCanvas));
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--tl-bg');
  context.fillRect(0, 0, picture.width, picture.height);
  for (const canvas of canvases) {
    const at = canvas.getBoundingClientRect();
    context.drawImage(canvas, (at.x - box.x) * scale, (at.y - box.y) * scale, at.width * scale, at.height * scale);
  }
  return new Promise((resolve, reject) => {
    picture.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error(translate(timelineMessages.noPicture)))),
      'image/png',
    );
  });
}
