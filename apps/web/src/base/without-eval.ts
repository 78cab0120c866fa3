/**
 * Makes zod validate without compiled functions. The content security policy forbids them, and even an attempt is
 * reported as a violation. Each program must import this module first, because other modules may use schemas while they
 * load.
 */
import { z } from 'zod';

z.config({ jitless: true });
