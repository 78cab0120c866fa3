/** Defines the members of a class: learners and the teacher's windows. */
import type { RefusalReason } from '@podscope/classroom';

/** A client's connection. */
export interface Peer {
  send(text: string): void;
  /** Sends a refusal and closes the connection. */
  refuse(reason: RefusalReason): void;
}

/** A learner in the class, with or without a connection. */
export interface Member {
  readonly id: string;
  readonly key: string;
  /** Number of the last message received from the learner. */
  confirmed: number;
  peer: Peer | undefined;
  /** The address from which the learner joined. */
  readonly address: string;
}

/** Returns the name without control characters and without characters that reverse the text around it. */
export const cleanName = (name = ''): string =>
  name.replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').trim();

/** Proof that a client is a learner who already joined. */
export interface Resume {
  readonly learner: string;
  readonly key: string;
}

/** A window of the teacher. */
export interface Teacher {
  readonly client: string;
  confirmed: number;
  peer: Peer | undefined;
}
