/**
 * Makes zod validate without compiled functions, which the content security policy refuses; even trying is reported as
 * a violation. The first import of each program, because schemas may be used while later modules load.
 */
import { z } from 'zod';

z.config({ jitless: true });
