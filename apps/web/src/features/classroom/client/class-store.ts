/** Stores the page's copy of the class state, and the state of its connection to the class. */
import { type ClassState, emptyClass, type JoinInfo, type Learner, type RefusalReason } from '@podscope/classroom';
import { create } from 'zustand';

/**
 * `connecting`: the first connection isn't open yet. `away`: the connection was lost, and the page is trying to connect
 * again.
 */
type ClassPhase = 'joining' | 'connecting' | 'live' | 'away' | 'refused';

interface ClassStore {
  readonly phase: ClassPhase;
  /** Id of the class. */
  readonly class: string | undefined;
  readonly state: ClassState;
  /** The learner's own id. */
  readonly you: string | undefined;
  /** The join links and the code; only on the teacher's page. */
  readonly joinInfo: JoinInfo | undefined;
  readonly refusal: RefusalReason | undefined;
  /** Number of attempts to connect since the last success. */
  readonly attempts: number;
  /** The server's clock minus the browser's, in milliseconds. */
  readonly skew: number;
}

export const initialClass: ClassStore = {
  phase: 'joining',
  class: undefined,
  state: emptyClass(0),
  you: undefined,
  joinInfo: undefined,
  refusal: undefined,
  attempts: 0,
  skew: 0,
};

export const useClass = create<ClassStore>()(() => initialClass);

/** Returns the learner of this page. */
export const ownLearner = ({ state, you }: Pick<ClassStore, 'state' | 'you'>): Learner | undefined =>
  you === undefined ? undefined : state.learners[you];
