/** Describes a lesson that isn't in the library. */

/** The text of a lesson that isn't in the library: from a file, the editor, a class, or the page around this page. */
export interface GivenLesson {
  readonly text: string;
  /** Name of the file with the text, for error messages. */
  readonly name?: string | undefined;
  readonly translation?: string | undefined;
  /** Id of the first step to show. */
  readonly step?: string | undefined;
}

/** Returns true if both are the same text, or both are undefined, as for a lesson of the library. */
export const isSameSource = (a: GivenLesson | undefined, b: GivenLesson | undefined): boolean =>
  a?.text === b?.text && a?.translation === b?.translation;
