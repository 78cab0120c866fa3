/** Shows the bar of the page's class. Default export: loaded in a class only. */
import { addressedClass } from '../../node/address/address.ts';
import { LearnerBar } from './learner/LearnerBar.tsx';
import { TeacherBar } from './teacher/TeacherBar.tsx';

export default function ClassBar() {
  return addressedClass?.role === 'teacher' ? <TeacherBar /> : <LearnerBar />;
}
