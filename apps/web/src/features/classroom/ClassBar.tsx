/** Shows the bar of a page that takes part in a class. */
import { addressedClass } from '../../node/address/address.ts';
import { LearnerBar } from './learner/LearnerBar.tsx';
import { TeacherBar } from './teacher/TeacherBar.tsx';

export function ClassBar() {
  return addressedClass?.role === 'teacher' ? <TeacherBar /> : <LearnerBar />;
}
