/** Shows the bar of the page's class. */
import { addressedClass } from '../../node/address/address.ts';
import { LearnerBar } from './learner/LearnerBar.tsx';
import { TeacherBar } from './teacher/TeacherBar.tsx';

export function ClassBar() {
  return addressedClass?.role === 'teacher' ? <TeacherBar /> : <LearnerBar />;
}
