/** Defines the syntax tree of shell scripts. It covers the part of the POSIX grammar that the commands of pods use. */

/** A part of a word. A quoted part isn't split, and its characters aren't patterns. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'parameter';
      readonly name: string;
      readonly quoted: boolean;
      readonly length?: boolean;
      readonly modifier?: ParameterModifier;
    }
  | { readonly kind: 'command'; readonly script: Sequence; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly expression: Word; readonly quoted: boolean };

/** A modifier of a parameter, for example in `${name:-word}`. */
export interface ParameterModifier {
  /** The operator without its colon. */
  readonly operator: '-' | '=' | '+' | '?' | '#' | '##' | '%' | '%%';
  /** Whether the operator has a colon, so that an empty value counts as unset. */
  readonly emptyToo: boolean;
  readonly word: Word;
}

export type Word = readonly WordPart[];

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface Redirect {
  readonly descriptor: number;
  readonly operator: '<' | '>' | '>>' | '>&' | '<&' | '<<';
  /** The target: a path, the number of a descriptor, or the text of a here document. */
  readonly target: Word;
}

export interface Sequence {
  readonly kind: 'sequence';
  readonly items: readonly { readonly command: Command; readonly background: boolean }[];
}

export interface SimpleCommand {
  readonly kind: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface CaseItem {
  readonly patterns: readonly Word[];
  readonly body: Sequence;
}

export type Compound =
  | { readonly kind: 'group' | 'subshell'; readonly body: Sequence }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: Sequence; readonly body: Sequence }[];
      readonly otherwise?: Sequence;
    }
  | { readonly kind: 'loop'; readonly until: boolean; readonly condition: Sequence; readonly body: Sequence }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly Word[] | undefined;
      readonly body: Sequence;
    }
  | { readonly kind: 'case'; readonly subject: Word; readonly items: readonly CaseItem[] };

export type Command =
  | SimpleCommand
  | { readonly kind: 'compound'; readonly command: Compound; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command }
  | { readonly kind: 'pipeline'; readonly negated: boolean; readonly commands: readonly Command[] }
  | { readonly kind: 'and' | 'or'; readonly left: Command; readonly right: Command };

/** The error for a script that can't be parsed. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}
