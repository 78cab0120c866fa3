/** Compares the images of specs with those of calls, in which the kubelet adds the default tag. */
import { applyDefaultImageTag } from '@podscope/base';

/** Returns an image as the kubelet requests it; a name that can't be parsed, which it never requests, unchanged. */
export function taggedImage(image: string): string {
  try {
    return applyDefaultImageTag(image);
  } catch {
    return image;
  }
}

export const isSameImage = (spec: string, called: string): boolean => taggedImage(spec) === taggedImage(called);
