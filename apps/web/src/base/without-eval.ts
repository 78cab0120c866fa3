/**
 * Makes zod validate without compiling functions at run time. The content security policy forbids this compilation, and
 * the browser reports even an attempt as a violation. Each program must import this module first, because other modules
 * may use schemas while they load.
 */
import { z } from 'zod';

z.config({ jitless: true });
